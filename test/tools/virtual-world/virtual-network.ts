// Connections within this process, in place of the system's: delayed by chance, and cut, silent or reset on request.
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Chance } from './chance.ts'
import { problem, VirtualSocket, Way } from './virtual-socket.ts'
import { currentLife, type Life, runIn, type VirtualTime } from './virtual-time.ts'

interface Listener {
  server: Server
  life: Life | undefined
}

export interface ConnectOptions {
  port: number
  host?: string
  localAddress?: string
}

export class VirtualNetwork {
  /** Both ends of the open connections. */
  readonly sockets = new Set<VirtualSocket>()
  readonly #time: VirtualTime
  readonly #chance: Chance
  readonly #listeners = new Map<number, Listener>()
  #lastPort = 40_000

  constructor(time: VirtualTime, chance: Chance) {
    this.#time = time
    this.#chance = chance
  }

  listen(server: Server, port: number): AddressInfo {
    const used = port || ++this.#lastPort
    if (this.#listeners.has(used)) throw problem('EADDRINUSE')
    this.#listeners.set(used, { server, life: currentLife() })
    return { address: '0.0.0.0', port: used, family: 'IPv4' }
  }

  close(port: number): void {
    this.#listeners.delete(port)
  }

  connect({ port, host = '127.0.0.1', localAddress = '127.0.0.1' }: ConnectOptions): VirtualSocket {
    const own = { address: localAddress, port: ++this.#lastPort }
    const other = { address: host, port }
    const way = () => new Way(this.#time, this.#chance)
    const socket = new VirtualSocket(this.#time, way(), own, other, false)
    const there = way()
    socket.way.send(() => {
      const listener = this.#listeners.get(port)
      if (!listener || listener.life?.isDead) return void socket.destroy(problem('ECONNREFUSED'))
      if (socket.destroyed) return
      const accept = () => this.#accept(socket, there, listener.server)
      runIn(listener.life, accept)
    })
    return socket
  }

  /** The process of this life has been killed: the system resets its connections and closes its ports. */
  end(life: Life): void {
    for (const [port, listener] of this.#listeners) if (listener.life === life) this.#listeners.delete(port)
    for (const socket of this.sockets) {
      if (socket.life !== life) continue
      // Nothing of the life may run any more.
      socket.removeAllListeners()
      socket.on('error', () => {})
      this.sockets.delete(socket)
      socket.resetAndDestroy()
    }
  }

  #accept(socket: VirtualSocket, way: Way, server: Server): void {
    const { localAddress, localPort, remoteAddress, remotePort } = socket
    const isHalfOpen = Reflect.get(server, 'allowHalfOpen') === true
    const own = { address: remoteAddress, port: remotePort }
    const accepted = new VirtualSocket(this.#time, way, own, { address: localAddress, port: localPort }, isHalfOpen)
    accepted.connected(socket)
    socket.connected(accepted)
    for (const each of [socket, accepted]) {
      this.sockets.add(each)
      each.once('close', () => this.sockets.delete(each))
    }
    runIn(socket.life, () => way.send(() => void socket.emit('connect')))
    // `as`: it has what servers use of a socket.
    server.emit('connection', accepted as unknown as Socket)
  }
}

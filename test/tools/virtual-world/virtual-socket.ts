// One end of a connection within this process, with what the daemon and Node's HTTP use of a socket.
import type { AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import type { Chance } from './chance.ts'
import { currentLife, runIn, type VirtualTime } from './virtual-time.ts'

export interface End {
  address: string
  port: number
}

/** Milliseconds of the way in one direction. */
const [shortestWay, longestWay] = [1, 20]

/** After that time without an acknowledgement the system gives a connection up. */
const giveUpMilliseconds = 120_000

export const problem = (code: string) => Object.assign(new Error(`${code} in the virtual network`), { code })

/** One direction of a connection: what is sent arrives in its order. */
export class Way {
  isSilent = false
  #lastArrival = 0
  #unsent: (() => void)[] = []
  readonly #time: VirtualTime
  readonly #chance: Chance

  constructor(time: VirtualTime, chance: Chance) {
    this.#time = time
    this.#chance = chance
  }

  send(arrive: () => void): void {
    if (this.isSilent) return void this.#unsent.push(arrive)
    const arrival = this.#time.now + this.#chance.between(shortestWay, longestWay)
    this.#lastArrival = Math.max(this.#lastArrival, arrival)
    this.#time.at(this.#lastArrival, arrive)
  }

  /** What was sent meanwhile is sent again, as TCP does. */
  heal(): void {
    this.isSilent = false
    for (const arrive of this.#unsent.splice(0)) this.send(arrive)
  }
}

/** One end of a connection, with what the daemon uses of a socket of Node's. */
export class VirtualSocket extends Duplex {
  bytesRead = 0
  bytesWritten = 0
  connecting = true
  readonly localAddress: string
  readonly localPort: number
  readonly remoteAddress: string
  readonly remotePort: number
  readonly remoteFamily = 'IPv4'
  /** From this end to the other. */
  readonly way: Way
  readonly life = currentLife()
  peer: VirtualSocket | undefined
  readonly #time: VirtualTime
  #timeout = 0
  #cancelTimeout = () => {}

  constructor(time: VirtualTime, way: Way, own: End, other: End, allowHalfOpen: boolean) {
    super({ allowHalfOpen, emitClose: false })
    this.#time = time
    this.way = way
    this.localAddress = own.address
    this.localPort = own.port
    this.remoteAddress = other.address
    this.remotePort = other.port
  }

  get readyState(): string {
    return this.connecting ? 'opening' : this.destroyed ? 'closed' : 'open'
  }

  setTimeout(milliseconds: number, listener?: () => void): this {
    if (listener) this.once('timeout', listener)
    this.#timeout = milliseconds
    this.#noteUse()
    return this
  }

  setNoDelay = () => this
  setKeepAlive = () => this
  ref = () => this
  unref = () => this

  address(): AddressInfo {
    return { address: this.localAddress, port: this.localPort, family: 'IPv4' }
  }

  destroySoon(): void {
    this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  resetAndDestroy(): this {
    this.#tell(peer => peer.destroy(problem('ECONNRESET')))
    return this.destroy()
  }

  /** The power of this end goes: nothing is sent, and the other end notices after a long time. */
  vanish(): void {
    this.way.isSilent = true
    const { peer } = this
    this.peer = undefined
    this.destroy()
    if (!peer) return
    const giveUp = () => this.#time.after(giveUpMilliseconds, () => void peer.destroy(problem('ETIMEDOUT')))
    runIn(peer.life, giveUp)
  }

  connected(peer: VirtualSocket): void {
    this.peer = peer
    this.connecting = false
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (this.connecting) return void this.once('connect', () => this._write(bytes, _encoding, done))
    this.bytesWritten += bytes.length
    this.#noteUse()
    const copy = Buffer.from(bytes)
    this.#tell(peer => peer.#receive(copy))
    done()
  }

  override _final(done: () => void): void {
    if (this.connecting) return void this.once('connect', () => this._final(done))
    this.#tell(peer => peer.push(null))
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#cancelTimeout()
    // A process that closes a socket with unread bytes resets it; otherwise the other end reads to the end.
    if (!error && !this.writableEnded) this.#tell(peer => peer.push(null))
    this.#tell(peer => peer.#lost())
    done(error)
    process.nextTick(() => this.emit('close', error !== null))
  }

  #receive(bytes: Buffer): void {
    if (this.destroyed) return
    this.bytesRead += bytes.length
    this.#noteUse()
    this.push(bytes)
  }

  /** The other end is closed: what is written from now on is reset. */
  #lost(): void {
    this.peer = undefined
  }

  #tell(arrive: (peer: VirtualSocket) => void): void {
    const { peer } = this
    if (!peer) {
      if (!this.connecting && !this.destroyed) this.#time.soon(() => void this.destroy(problem('ECONNRESET')))
      return
    }
    const give = () => {
      if (!peer.destroyed) arrive(peer)
    }
    // It arrives in the life of the other end.
    runIn(peer.life, () => this.way.send(give))
  }

  #noteUse(): void {
    this.#cancelTimeout()
    if (this.#timeout > 0) this.#cancelTimeout = this.#time.after(this.#timeout, () => void this.emit('timeout'))
  }
}

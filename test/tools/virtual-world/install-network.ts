// Puts a virtual network in the place of the system's.
import { EventEmitter } from 'node:events'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { AddressInfo, Server } from 'node:net'
import type { ConnectOptions, VirtualNetwork } from './virtual-network.ts'

const require = createRequire(import.meta.url)

/** Servers and connections of this process are in `network` from now on; packets without a connection are lost. */
export function installNetwork(network: VirtualNetwork): void {
  const net: typeof import('node:net') = require('node:net')
  const connect = (options: ConnectOptions) => network.connect(options)
  Object.assign(net, { connect, createConnection: connect })
  const addresses = new WeakMap<Server, AddressInfo>()
  Object.assign(net.Server.prototype, {
    listen(this: Server, { port }: { port: number }) {
      addresses.set(this, network.listen(this, port))
      process.nextTick(() => this.emit('listening'))
      return this
    },
    address(this: Server) {
      return addresses.get(this) ?? null
    },
    close(this: Server, done?: () => void) {
      network.close(addresses.get(this)?.port ?? 0)
      addresses.delete(this)
      process.nextTick(() => {
        this.emit('close')
        done?.()
      })
      return this
    },
  })
  Object.defineProperty(net.Server.prototype, 'listening', {
    get(this: Server) {
      return addresses.has(this)
    },
  })
  Object.assign(require('node:dgram'), { createSocket: silentSocket })
  syncBuiltinESMExports()
}

function silentSocket() {
  const socket = new EventEmitter()
  return Object.assign(socket, {
    unref: () => socket,
    bind: () => void process.nextTick(() => socket.emit('listening')),
    setBroadcast() {},
    send: (_packet: Buffer, _port: number, _address: string, sent: (error: null) => void) =>
      process.nextTick(sent, null),
    close() {},
  })
}

// How tests reach the REST port: plain HTTP, or TLS for those that say that they run once more with it.
import { readFileSync } from 'node:fs'
import { type RequestOptions, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as secureConnect } from 'node:tls'

/** Set for a file whose connections are all over TLS. */
export const secureVariable = 'FLEET_TEST_TLS'

export const transport = { isSecure: process.env[secureVariable] !== undefined }

export const fixture = (name: string): string => join(import.meta.dirname, '../http/fixtures', name)

/** For the option `rest.tls`; the certificate is for 127.0.0.1 and `localhost`, and authorises itself. */
export const tlsFiles = { cert: fixture('server-cert.pem'), key: fixture('server-key.pem') }

export const serverCertificate = readFileSync(tlsFiles.cert)

export const readTlsFiles = () => ({ cert: serverCertificate, key: readFileSync(tlsFiles.key) })

/** `opened` is called when the connection can be written. */
export function openSocket(port: number, opened?: () => void): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  if (!transport.isSecure) return opened ? socket.once('connect', opened) : socket
  const secure = secureConnect({ socket, ca: serverCertificate }, opened)
  tcpSockets.set(secure, socket)
  return secure
}

const tcpSockets = new WeakMap<Socket, Socket>()

/** Closes a connection of `openSocket` with a reset. */
export const resetSocket = (socket: Socket) => (tcpSockets.get(socket) ?? socket).resetAndDestroy()

/** A request that is sent with a connection of its own, or by `agent`. */
export const openRequest = (options: RequestOptions) =>
  transport.isSecure
    ? secureRequest({ agent: false, ...options, ca: serverCertificate })
    : request({ agent: false, ...options })

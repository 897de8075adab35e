// The port from which computers in live systems get image files, and to which they send them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Options } from '../../config/options.ts'
import { type Log, message } from '../../log/log.ts'
import { respondWithFile } from '../../system/file-response.ts'
import { imageFile } from '../image-folder.ts'
import { describeImage } from './describe-image.ts'
import type { Multicast, SharedCopy } from './multicast.ts'
import type { ReceivedImage } from './received-image.ts'

export interface Copy extends SharedCopy {
  /** Without it nobody downloads or sends the image, also from the computer's address; multicast reaches the network. */
  ticket: string
  /** The computer's. */
  addr: string
  /** The file that the computer sends; undefined when it gets one. */
  received: ReceivedImage | undefined
  /** Aborted when the command has ended. */
  signal: AbortSignal
  /** Why nothing can be copied. */
  obstacle: string | undefined
}

interface TransferServerDeps {
  options: Pick<Options, 'agents' | 'images'>
  directory: string
  log: Log
  multicast: Pick<Multicast, 'join' | 'leave'>
  /** The copy of a computer, by its address. */
  find(addr: string): Copy | undefined
  nameOf(addr: string): Promise<string | undefined>
  /** It does not listen, as the port is taken. */
  onFailure(reason: string): void
}

export interface TransferServer {
  close(): Promise<void>
}

/** Milliseconds without data after which a connection is closed: a computer may have lost its power. */
const idleMilliseconds = 120_000

/** Bytes of what a computer says of its image. */
const longestDescription = 16 * 1024

type Handler = (copy: Copy, request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Connections of addresses without a copy are closed at once. */
export function createTransferServer(deps: TransferServerDeps): TransferServer {
  const { options, log, find, onFailure } = deps
  const handlers = createHandlers(deps)
  // An image takes as long as it takes.
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    const copy = find(addressOf(request.socket))
    const handle = handlers[`${request.method} ${request.url}`]
    if (!copy || request.headers.authorization !== copy.ticket) return refuse(response, 403, 'no ticket for this copy')
    if (!handle) return refuse(response, 404, 'no such path')
    handle(copy, request, response).catch(error => {
      if (!copy.signal.aborted) log.warn('images', `image ${copy.name}, ${copy.addr}: ${message(error)}`)
      refuse(response, 500, message(error))
    })
  })
  server.on('connection', socket => {
    if (!find(addressOf(socket))) socket.destroy()
  })
  // Not that of a socket, which its second request would change.
  server.setTimeout(idleMilliseconds)
  const { port } = options.images.transfer
  server.on('error', error => {
    const reason = `images.transfer.port ${port}: ${error.message}`
    log.error('images', reason)
    if (!server.listening) onFailure(reason)
  })
  server.listen({ host: options.agents.ip, port })
  return {
    close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

/** A socket for both versions names IPv4 addresses in another way. */
const addressOf = ({ remoteAddress = '' }: Socket): string => plain(remoteAddress)
const plain = (address: string): string => address.replace(/^::ffff:/, '')

/** Nothing when the response has begun: then its connection is closed, which is not mistaken for the end of a file. */
function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) return void response.destroy()
  // Others than strangers close it when they have read the reason, which could be lost before.
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...(status === 403 && { Connection: 'close' }) }
  response.writeHead(status, headers).end(reason)
  response.req.resume()
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}

function createHandlers({ directory, nameOf, multicast }: TransferServerDeps): Record<string, Handler> {
  return {
    async 'GET /about'({ addr, name, received }, _request, response) {
      const image = received ? {} : await describeImage(directory, name)
      sendJson(response, { computer: await nameOf(addr), ...image })
    },

    async 'POST /join'(copy, request, response) {
      sendJson(response, (await multicast.join(copy, plain(request.socket.localAddress ?? ''))) ?? {})
    },

    async 'GET /image'(copy, request, response) {
      const { name, signal } = copy
      multicast.leave(copy)
      const header = (key: string) => String(request.headers[key.toLowerCase()] ?? '')
      const { status, headers, body } = await respondWithFile(join(directory, imageFile(name)), header)
      response.writeHead(status, headers)
      await pipeline(typeof body === 'string' ? [body] : Readable.from(body), response, { signal })
    },

    async 'PUT /image'(copy, request, response) {
      const { received } = copy
      if (!received) throw new Error('this computer makes no image')
      // A failure leaves the connection, over which the computer gets the reason.
      const body = addAbortSignal(copy.signal, request).iterator({ destroyOnReturn: false })
      const { size, sha256 } = await received.receive(body)
      sendJson(response, { size, sha256 })
    },

    async 'POST /image'({ name, addr, received }, request, response) {
      const { sha256, ...description } = await readJson(request)
      await received?.publish(name, { sha256, description: { ...description, by: (await nameOf(addr)) ?? addr } })
      sendJson(response, {})
    },
  }
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const slice of request.setEncoding('utf8')) {
    text += slice
    if (text.length > longestDescription) throw new Error(`expected at most ${longestDescription} characters, got more`)
  }
  return JSON.parse(text)
}

// Baselines of fan-out and round trip: writes the same bytes to as many sockets as the daemon has agents. `send` is
// baseline 1; `listenForCaller` starts an HTTP server that also keeps the request and every reply on disk.
import { once } from 'node:events'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createServer as createCallerServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { serveParent } from './child-process.ts'

/** Each write is on disk when it returns. */
const syncedWrites = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_DSYNC

const sockets = new Set<Socket>()
let records: FileHandle | undefined
let waiting: Buffer[] = []
let storing: Promise<void> | undefined
/** Replies that have not come. */
let missing = 0
let onStored = () => {}

const server = createServer({ noDelay: true }, socket => {
  sockets.add(socket)
  // A reply comes whole: it fits into one packet.
  socket.on('data', reply => {
    missing -= 1
    void store(reply)
  })
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
})

/** Resolves when the bytes are on disk; those of one tick share one flush. */
function store(bytes: Buffer): Promise<void> {
  waiting.push(bytes)
  storing ??= writeWaiting()
  return storing
}

async function writeWaiting(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
  while (waiting.length > 0) {
    const bytes = Buffer.concat(waiting)
    waiting = []
    await records?.write(bytes)
  }
  storing = undefined
  if (missing === 0) onStored()
}

async function listen(netServer: Server): Promise<number> {
  netServer.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
  await once(netServer, 'listening')
  const address = netServer.address()
  return address instanceof Object ? address.port : 0
}

function send(text: string): void {
  const bytes = Buffer.from(text)
  missing = sockets.size
  for (const socket of sockets) socket.write(bytes)
}

export type BaselineAgents = typeof calls
const calls = serveParent({
  listen: () => listen(server),
  send,
  /** Returns the port at which every request with a body is sent as `text` to all sockets, when there are `count`. */
  async listenForCaller({ file, text, count }: { file: string; text: string; count: number }): Promise<number> {
    // They are connected for the agents before they are accepted here.
    while (sockets.size < count) await once(server, 'connection')
    records = await open(file, syncedWrites)
    const callers = createCallerServer(async (request, response): Promise<unknown> => {
      const body = Buffer.concat(await request.toArray())
      if (body.length === 0) return response.end()
      JSON.parse(body.toString())
      send(text)
      await store(body)
      response.writeHead(200, { 'Content-Length': 0 })
      response.end()
    })
    return listen(callers)
  },
  /** Resolves when all replies to the next request are on disk. */
  stored: () =>
    new Promise<void>(resolve => {
      onStored = resolve
    }),
})

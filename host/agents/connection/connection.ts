// The TCP connections of agents: accepts them, decodes what they send, a limited amount per event-loop tick, and writes to
// many of them together.
import { createServer, type Server, type Socket } from 'node:net'
import { listen } from '../../config/listen.ts'
import type { Log } from '../../log/log.ts'
import type { TimeSlicer } from '../../system/time-slices.ts'
import { Decoder, FramingError, type Message } from './codec.ts'

/** Seconds without data after which the kernel checks the connection: an agent that lost its power does not close it. */
const keepAliveSeconds = 30

/**
 * Calls `connect` for each new connection, with its source address, by which an agent is known. Resolves when the port is
 * open; rejects when it cannot be opened.
 */
export async function listenForAgents(
  address: { ip: string; port: number },
  connect: (addr: string, socket: Socket) => void,
  log: Log,
): Promise<Server> {
  const server = createServer({
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveSeconds * 1000,
  })
  server.on('connection', socket => {
    // A socket that has closed already has no address.
    const addr = socket.remoteAddress?.replace(/^::ffff:/, '')
    if (addr === undefined) socket.destroy()
    else connect(addr, socket)
  })
  await listen(server, 'agents', address)
  server.on('error', error => log.error('agents', 'listening socket failed', error))
  return server
}

interface ConnectionDeps {
  timeSlicer: TimeSlicer
  /** Most bytes of a message. */
  limit: number
  /** Throws a FramingError when nothing more is to be read. */
  onMessage(message: Message): void
  /** The agent has sent bytes that are not a valid message; nothing more is read. */
  onFramingError(error: FramingError): void
  onError(error: Error): void
  onClose(): void
}

/** Bytes of one agent that may wait for a later tick while more are read: most replies are shorter, and to pause costs. */
const maxWaiting = 4096

/** Calls the functions of `deps` for what happens on the socket. */
export function followConnection(socket: Socket, deps: ConnectionDeps): void {
  const { timeSlicer, limit, onMessage, onFramingError, onError, onClose } = deps
  const decoder = new Decoder(limit, onMessage)
  const { push } = socket
  let isBroken = false
  let waiting = 0
  let isPaused = false
  /** Whether nothing waits in the buffer of Node's stream. */
  let isDirect = socket.readableLength === 0

  function decode(bytes: Buffer): void {
    waiting -= bytes.length
    if (isPaused && waiting <= maxWaiting) {
      isPaused = false
      socket.resume()
    }
    if (isBroken) return
    try {
      decoder.feed(bytes)
    } catch (error) {
      if (!(error instanceof FramingError)) throw error
      isBroken = true
      onFramingError(error)
    }
  }

  function read(bytes: Buffer): void {
    waiting += bytes.length
    timeSlicer(() => decode(bytes), bytes.length)
    if (waiting <= maxWaiting || isPaused) return
    // The kernel buffers further data until these bytes have been processed.
    isPaused = true
    isDirect = false
    socket.pause()
  }

  // Without the buffer and the events of Node's streams where they are not needed: when thousands of agents reply at once,
  // they take 2 to 5 % of the processor time of the whole command.
  socket.push = (bytes: Buffer | null) => {
    if (isDirect && bytes !== null) {
      read(bytes)
      return true
    }
    const takesMore = push.call(socket, bytes)
    isDirect = !isPaused && socket.readableLength === 0
    return takesMore
  }
  socket.on('data', read)
  socket.on('error', onError)
  socket.on('close', () => timeSlicer(onClose))
}

/** An agent that sends a byte in every tick must not delay the end of its request for long. */
const maxReads = 100

/** Calls `work` when the bytes that have arrived on the socket already are read and processed. */
export function afterInput(socket: Socket, timeSlicer: TimeSlicer, work: () => void): void {
  let reads = 0
  let { bytesRead } = socket
  const check = () => {
    if (socket.bytesRead === bytesRead || reads === maxReads) return work()
    reads += 1
    bytesRead = socket.bytesRead
    checkAfterRead()
  }
  // Immediates run after the sockets have been read; the time slicer then runs `check` after the work that waits.
  const checkAfterRead = () => void setImmediate(() => timeSlicer(check))
  checkAfterRead()
}

interface Write {
  socket: Pick<Socket, 'write'>
  bytes: Buffer
}

/** Collects writes to many sockets: without other work between them they are faster. */
export class WriteBatch {
  /** Undefined while nothing is collected. */
  #writes: Write[] | undefined

  write(socket: Write['socket'], bytes: Buffer): void {
    if (this.#writes) this.#writes.push({ socket, bytes })
    else socket.write(bytes)
  }

  /** Runs `work` and sends what it has written when it ends, in the same order. */
  run(work: () => void): void {
    const writes: Write[] = []
    this.#writes = writes
    try {
      work()
    } finally {
      // Also after an error: the agents that were written to are counted as busy.
      this.#writes = undefined
      for (const { socket, bytes } of writes) socket.write(bytes)
    }
  }
}

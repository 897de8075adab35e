// The TCP connections of agents: accepts them, decodes what they send, a limited amount per event-loop tick, and
// writes to many of them together.
import { createServer, type Server, type Socket } from 'node:net'
import { listen } from '../../config/listen.ts'
import type { Log } from '../../log/log.ts'
import type { TimeSlicer } from '../../system/time-slices.ts'
import { Decoder, FramingError, type Message } from './codec.ts'

/** Seconds without data until the kernel checks the connection: an agent that lost its power does not close it. */
const keepAliveSeconds = 30

/**
 * Calls `connect` for each new connection, with its source address, by which an agent is known. Resolves when the port
 * is open; rejects when it cannot be opened.
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
}

export interface ConnectionEvents {
  /** Throws a FramingError when nothing more is to be read. */
  onMessage(message: Message): void
  /** The agent has sent bytes that are not a valid message; nothing more is read. */
  onFramingError(error: FramingError): void
  onError(error: Error): void
  onClose(): void
}

/** Bytes of one agent that may wait for a later tick while more are read: most replies are shorter; to pause costs. */
const maxWaiting = 4096

/** Calls the functions of `events` for what happens on the socket. */
export function followConnection(socket: Socket, deps: ConnectionDeps, events: ConnectionEvents): void {
  const input = new Input(socket, deps, events)
  const { push } = socket
  // Without the buffer and the events of Node's streams where they are not needed: when thousands of agents reply at
  // once, they take 2 to 5 % of the processor time of the whole command.
  socket.push = (bytes: Buffer | null) => {
    if (input.isDirect && bytes !== null) {
      input.read(bytes)
      return true
    }
    const takesMore = push.call(socket, bytes)
    input.isDirect = !input.isPaused && socket.readableLength === 0
    return takesMore
  }
  socket.on('data', bytes => input.read(bytes))
  socket.on('error', error => events.onError(error))
  socket.on('close', () => deps.timeSlicer(() => events.onClose()))
}

/** What one agent sends: decoded in time slices, and paused while too much waits. */
class Input {
  /** Whether nothing waits in the buffer of Node's stream. */
  isDirect: boolean
  isPaused = false
  readonly #socket: Socket
  readonly #timeSlicer: TimeSlicer
  readonly #events: ConnectionEvents
  readonly #decoder: Decoder
  #isBroken = false
  #waiting = 0

  constructor(socket: Socket, { timeSlicer, limit }: ConnectionDeps, events: ConnectionEvents) {
    this.#socket = socket
    this.#timeSlicer = timeSlicer
    this.#events = events
    this.#decoder = new Decoder(limit, message => events.onMessage(message))
    this.isDirect = socket.readableLength === 0
  }

  read(bytes: Buffer): void {
    this.#waiting += bytes.length
    this.#timeSlicer(() => this.#decode(bytes), bytes.length)
    if (this.#waiting <= maxWaiting || this.isPaused) return
    // The kernel buffers further data until these bytes have been processed.
    this.isPaused = true
    this.isDirect = false
    this.#socket.pause()
  }

  #decode(bytes: Buffer): void {
    this.#waiting -= bytes.length
    if (this.isPaused && this.#waiting <= maxWaiting) {
      this.isPaused = false
      this.#socket.resume()
    }
    if (this.#isBroken) return
    try {
      this.#decoder.feed(bytes)
    } catch (error) {
      if (!(error instanceof FramingError)) throw error
      this.#isBroken = true
      this.#events.onFramingError(error)
    }
  }
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

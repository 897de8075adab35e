// The connection to one agent: decodes what it sends, a limited amount per event-loop tick.
import type { Socket } from 'node:net'
import type { TimeSlicer } from '../../system/time-slices.ts'
import { createDecoder, FramingError, type Message } from './codec.ts'

export interface ConnectionDeps {
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
  const decoder = createDecoder(limit, onMessage)
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

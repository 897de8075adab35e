// The connection to one agent: decodes what it sends, a limited amount per event-loop tick.
import type { Socket } from 'node:net'
import type { TimeSlicer } from '../system/time-slices.ts'
import { createDecoder, FramingError, type Message } from './codec.ts'

export interface ConnectionDeps {
  timeSlicer: TimeSlicer
  /** Most bytes of a message. */
  limit: number
  onMessage(message: Message): void
  /** The agent has sent bytes that are not a valid message; nothing more can be read. */
  onFramingError(error: FramingError): void
  onError(error: Error): void
  onClose(): void
}

/** Calls the functions of `deps` for what happens on the socket. */
export function followConnection(socket: Socket, deps: ConnectionDeps): void {
  const { timeSlicer, limit, onMessage, onFramingError, onError, onClose } = deps
  const decoder = createDecoder(limit, onMessage)

  function decode(bytes: Buffer): void {
    if (socket.isPaused()) socket.resume()
    try {
      decoder.feed(bytes)
    } catch (error) {
      if (!(error instanceof FramingError)) throw error
      onFramingError(error)
    }
  }

  socket.on('data', bytes => {
    const isDone = timeSlicer(() => decode(bytes), bytes.length)
    // The kernel buffers further data until these bytes have been processed.
    if (!isDone) socket.pause()
  })
  socket.on('error', onError)
  socket.on('close', () => timeSlicer(onClose))
}

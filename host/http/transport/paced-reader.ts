// Parses the requests of one connection in small groups. Without it, Node parses all requests of 64 KiB at once: a
// connection that pipelines thousands of them would fill the memory and keep other callers waiting.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TimeSlicer } from '../../system/time-slices.ts'
import type { UnverifiedBytes } from './unverified-bytes.ts'

/** Requests of one connection that are served or wait. The bytes after them are not parsed, and no more are read. */
const maxRequests = 8

/** The same for a connection without a right token so far: all connections together would fill the memory with 8 each. */
const maxUnknownRequests = 2

/** Lines of a piece. */
const maxLines = 64

/** Bytes of the shortest request: `GET / HTTP/1.1` and the line breaks. */
const bytesPerRequest = 18

/** Pieces of a chunk that are parsed at once: the many lines of a body, or empty lines, must not take long either. */
const maxPieces = 64

/** The weight of parsing and serving one group, for the time slicer, which counts in bytes. */
const groupBytes = 8 * 1024

/** Milliseconds that a caller who has ended its side has to get the responses. */
const endMilliseconds = 1000

const [lineFeed, carriageReturn] = [10, 13]
const ignore = () => {}

export class PacedReader {
  readonly #socket: Socket
  readonly #bytes: UnverifiedBytes
  readonly #slicer: TimeSlicer
  /** The methods of the socket, which this reader replaces. */
  readonly #push: (chunk: Buffer | null) => boolean
  readonly #read: (size: number) => void
  /** The responses that are not sent, in order. */
  readonly #responses: ServerResponse[] = []
  #unparsed: Buffer | undefined
  #hasCounted = false
  #isKnown = false
  #hasEnded = false
  #isScheduled = false
  #isEnding = false
  #discards = false
  #whenEmpty = ignore

  /** To be created in the server's event `connection`. */
  constructor(socket: Socket, bytes: UnverifiedBytes, slicer: TimeSlicer) {
    this.#socket = socket
    this.#bytes = bytes
    this.#slicer = slicer
    this.#push = socket.push.bind(socket)
    this.#read = socket._read.bind(socket)
    socket.push = (chunk: Buffer | null) => this.#receive(chunk)
    socket._read = size => {
      if (!this.#unparsed && !this.#hasEnded) this.#read(size)
    }
    // With a listener for `data`, Node's parser gets its bytes from the stream and no longer from the system's socket.
    socket.on('data', ignore)
    socket.off('data', ignore)
    socket.on('resume', () => this.#continue())
  }

  /** To be called for every request of the connection. */
  count(res: ServerResponse): void {
    this.#responses.push(res)
    this.#bytes.startRequest()
    // The system would keep a response until the caller has acknowledged the one before it.
    if (this.#hasCounted) this.#socket.setNoDelay()
    this.#hasCounted = true
  }

  /** The token of the current request is right: its body is not limited further. */
  verify(): void {
    this.#isKnown = true
    this.#bytes.verify()
  }

  /** Calls `listener` when all bytes that were read are parsed: now, or when earlier requests have their responses. */
  whenEmpty(listener: () => void): void {
    this.#whenEmpty = listener
    this.#continue()
  }

  /** Ignores what the caller has sent and what it will send. */
  discard(): void {
    this.#discards = true
    this.#unparsed = undefined
    this.#readOn()
  }

  /** Returns whether the socket is to be read further. */
  #receive(chunk: Buffer | null): boolean {
    if (chunk === null) {
      this.#hasEnded = true
      if (!this.#unparsed) this.#end()
      return false
    }
    if (this.#discards) return true
    if (this.#unparsed) this.#unparsed = Buffer.concat([this.#unparsed, chunk])
    else if (this.#isKnown) this.#parse(chunk)
    else this.#parseWhenFree(chunk)
    return this.#unparsed === undefined
  }

  /** The system reports thousands of new connections in one tick, and callers with a token must not wait for them all. */
  #parseWhenFree(chunk: Buffer): void {
    let isNow = true
    isNow = this.#slicer(() => (isNow ? this.#parse(chunk) : this.#release()), Math.min(chunk.length, groupBytes))
    if (isNow) return
    this.#unparsed = chunk
    this.#isScheduled = true
  }

  /** Gives the parser as much of the chunk as it may get, and holds the rest. */
  #parse(chunk: Buffer): void {
    let rest = chunk
    for (let pieces = 0; rest.length > 0; pieces += 1) {
      const capacity = this.#capacity()
      if (capacity <= 0 || pieces === maxPieces) {
        this.#unparsed = rest
        this.#schedule()
        return
      }
      const fits = rest.length <= capacity * bytesPerRequest
      const end = fits ? rest.length : endOfHeads(rest, capacity)
      const piece = end === rest.length ? rest : rest.subarray(0, end)
      rest = rest.subarray(end)
      this.#bytes.add(piece.length)
      if (this.#discards || this.#socket.destroyed) return
      // Not through the stream's own buffer: nothing is held there, and this is the way of every request.
      this.#socket.emit('data', piece)
    }
  }

  /** Requests that may still be parsed. None while Node has paused the stream, as the parser must not get bytes then. */
  #capacity(): number {
    if (this.#socket.isPaused()) return 0
    while (this.#responses[0]?.closed) this.#responses.shift()
    return (this.#isKnown ? maxRequests : maxUnknownRequests) - this.#responses.length
  }

  /** Parses what is held: soon, or after the first of the responses. A paused socket continues with its event. */
  #schedule(): void {
    if (this.#isScheduled || this.#socket.isPaused()) return
    this.#isScheduled = true
    const release = () => this.#slicer(() => this.#release(), groupBytes)
    // In a later tick, so that other connections are read before.
    if (this.#capacity() > 0) setImmediate(release)
    else this.#responses[0]?.once('close', () => setImmediate(release))
  }

  #release(): void {
    this.#isScheduled = false
    const unparsed = this.#unparsed
    if (!unparsed || this.#socket.destroyed) return
    this.#unparsed = undefined
    this.#parse(unparsed)
    this.#continue()
  }

  /** Parses what is held, or reads on when nothing is. */
  #continue(): void {
    if (this.#unparsed) return this.#schedule()
    if (this.#socket.isPaused()) return
    const listener = this.#whenEmpty
    this.#whenEmpty = ignore
    if (this.#hasEnded) this.#end()
    else this.#readOn()
    listener()
  }

  /**
   * Node closes the connection with the caller's end. Over TLS it may come in the same tick as the last request, which is
   * to have its response before. A stream is closed at once.
   */
  #end(): void {
    const last = this.#responses.at(-1)
    if (!last?.req.complete || last.headersSent) return void this.#push(null)
    if (this.#isEnding) return
    this.#isEnding = true
    const timer = setTimeout(() => this.#push(null), endMilliseconds).unref()
    last.once('close', () => {
      clearTimeout(timer)
      this.#push(null)
    })
  }

  #readOn(): void {
    if (!this.#socket.destroyed) this.#read(0)
  }
}

/** The index after the empty line with this number, as each head has one, or after as many lines as a piece has. */
function endOfHeads(chunk: Buffer, heads: number): number {
  let end = 0
  for (let [line, found] = [0, 0]; line < maxLines && found < heads; line += 1) {
    const index = chunk.indexOf(lineFeed, end)
    if (index < 0) return chunk.length
    if (index === end || (index === end + 1 && chunk[end] === carriageReturn)) found += 1
    end = index + 1
  }
  return end
}

// Decodes the messages of agents and encodes requests to them; pure functions on bytes, in linear time.

/** The bytes are not a valid message, or one too many. The connection cannot be used any longer. */
export class FramingError extends Error {}

/** An HTTP response of an agent. The body is not checked to be JSON; undefined when it is empty. */
export interface Message {
  status: number
  body: string | undefined
}

/** Most bytes of a status line and headers; real agents send about 100. */
const headerBytes = 8 * 1024

const blankLine = Buffer.from('\r\n\r\n')

export class Decoder {
  readonly #limit: number
  readonly #onMessage: (message: Message) => void
  /** Bytes of an incomplete header, or of an incomplete body; undefined when there are none. */
  #received: GrowingBuffer | undefined
  /** Undefined until the header is complete. */
  #head: Head | undefined

  /** `limit`: most bytes of a message, header included. */
  constructor(limit: number, onMessage: (message: Message) => void) {
    this.#limit = limit
    this.#onMessage = onMessage
  }

  /** Passes every completed message to `onMessage`. Throws a FramingError at the first invalid byte. */
  feed(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      if (!this.#head) at = this.#readHeader(bytes, at)
      // Also without further bytes: a message may have no body.
      if (this.#head) at = this.#readBody(this.#head, bytes, at)
    }
  }

  /** Reads a header or a piece of it, from `start` on. Returns where the bytes after it begin. */
  #readHeader(bytes: Buffer, start: number): number {
    if (!this.#received && lastHead.begins(bytes, start)) {
      this.#setHead(lastHead.head, lastHead.length)
      return start + lastHead.length
    }
    const oldLength = this.#received?.length ?? 0
    this.#received?.append(bytes.subarray(start, start + headerBytes + 1 - oldLength))
    const header = this.#received?.bytes ?? bytes
    const from = this.#received ? 0 : start
    const end = header.indexOf(blankLine, Math.max(from, oldLength - blankLine.length))
    const line = header.toString('latin1', from, from + quotedLength)
    if (!protocol.startsWith(line.slice(0, protocol.length))) {
      throw new FramingError(`status line: expected HTTP/1.x, got ${JSON.stringify(line)}`)
    }
    const length = (end < 0 ? header.length : end + blankLine.length) - from
    if (length > headerBytes) throw new FramingError(`header: expected at most ${headerBytes} bytes`)
    if (end < 0) {
      this.#received ??= new GrowingBuffer(bytes.subarray(start))
      return bytes.length
    }
    const head = parseHead(header.toString('latin1', from, end))
    lastHead.set(header, from, length, head)
    this.#received = undefined
    this.#setHead(head, length)
    return start + length - oldLength
  }

  #setHead(head: Head, length: number): void {
    const total = length + head.length
    if (total > this.#limit) throw new FramingError(`message: expected at most ${this.#limit} bytes, got ${total}`)
    this.#head = head
  }

  /** Reads a body or a piece of it, from `start` on. Returns where the bytes after it begin. */
  #readBody({ status, length }: Head, bytes: Buffer, start: number): number {
    const oldLength = this.#received?.length ?? 0
    const end = Math.min(bytes.length, start + length - oldLength)
    const isIncomplete = oldLength + end - start < length
    if (this.#received) this.#received.append(bytes.subarray(start, end))
    else if (isIncomplete) this.#received = new GrowingBuffer(bytes.subarray(start, end))
    if (isIncomplete) return end
    const text = this.#received ? this.#received.bytes.toString() : bytes.toString('utf8', start, end)
    this.#received = undefined
    this.#head = undefined
    this.#onMessage({ status, body: length === 0 ? undefined : text })
    return end
  }
}

interface Head {
  status: number
  /** Bytes of the body. */
  length: number
}

const protocol = 'HTTP/1.'

/** Without the blank line at its end. */
function parseHead(text: string): Head {
  const [line = '', ...fields] = text.split('\r\n')
  const status = /^HTTP\/1\.\d ([1-9]\d\d)(?: |$)/.exec(line)?.[1]
  if (status === undefined) throw new FramingError(`status line: expected a status from 100 to 999, got ${quote(line)}`)
  let length: string | undefined
  for (const field of fields) {
    const [, name, value = ''] = /^([^\s:]+):(.*)$/.exec(field) ?? []
    if (name === undefined) throw new FramingError(`header: expected "Name: value", got ${quote(field)}`)
    const key = name.toLowerCase()
    if (key === 'transfer-encoding') throw new FramingError('header: expected Content-Length, got Transfer-Encoding')
    if (key !== 'content-length') continue
    const number = value.trim()
    if (!/^\d{1,15}$/.test(number) || Number(length ?? number) !== Number(number)) {
      throw new FramingError(`Content-Length: expected one number, got ${quote(number)}`)
    }
    length = number
  }
  return { status: Number(status), length: Number(length ?? 0) }
}

/** Characters of an error. */
const quotedLength = 40

const quote = (text: string): string => JSON.stringify(text.slice(0, quotedLength))

/** The head that was read last, with its blank line: thousands of agents send the same one, and to compare is fast. */
class LastHead {
  length = 0
  head: Head = { status: 0, length: 0 }
  readonly #bytes = Buffer.alloc(256)

  /** A head that is longer is not remembered. */
  set(bytes: Buffer, start: number, length: number, head: Head): void {
    this.length = 0
    if (length > this.#bytes.length) return
    bytes.copy(this.#bytes, 0, start, start + length)
    this.length = length
    this.head = head
  }

  /** Whether the bytes from `start` on begin with it. */
  begins(bytes: Buffer, start: number): boolean {
    if (this.length === 0 || bytes.length - start < this.length) return false
    for (let at = 0; at < this.length; at += 1) if (bytes[start + at] !== this.#bytes[at]) return false
    return true
  }
}

const lastHead = new LastHead()

/** JSON in ASCII: agents compare the number of characters, not bytes, with Content-Length. */
export function toWireJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    codeUnit => `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A request that existing agents can read: exactly these two headers, and a body of one line or none. */
export function encodeRequest(route: string, body: string): Buffer {
  return Buffer.from(
    `${route} HTTP/1.1\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n${body}`,
    'latin1',
  )
}

/** Bytes; most heads fit. */
const firstCapacity = 256

const noBytes = Buffer.alloc(0)

/** Bytes that come in pieces of any size: the time for all appends is linear in their number. */
class GrowingBuffer {
  #storage: Buffer = noBytes
  #length = 0

  constructor(bytes: Buffer) {
    this.append(bytes)
  }

  get length(): number {
    return this.#length
  }

  /** A view, valid until the next call of another function. */
  get bytes(): Buffer {
    return this.#storage.subarray(0, this.#length)
  }

  /** Copies `bytes`. */
  append(bytes: Buffer): void {
    const length = this.#length + bytes.length
    if (length > this.#storage.length) {
      // Doubled, so that each byte is copied about twice in all, however small the pieces are.
      const storage = Buffer.allocUnsafeSlow(Math.max(firstCapacity, length, 2 * this.#storage.length))
      this.bytes.copy(storage)
      this.#storage = storage
    }
    bytes.copy(this.#storage, this.#length)
    this.#length = length
  }
}

// Decodes the messages of agents and encodes requests to them; pure functions on bytes.

/** An HTTP response of an agent. The body is not checked to be JSON; undefined when it is empty. */
export interface Message {
  status: number
  body: string | undefined
}

/** The bytes are not a valid message. The connection cannot be used any longer. */
export class FramingError extends Error {}

export interface Decoder {
  /** Passes every completed message to `onMessage`. Throws a FramingError at the first invalid byte. */
  feed(bytes: Buffer): void
}

/** Most bytes of a status line and headers; real agents send about 100. */
const headerBytes = 8 * 1024

const blankLine = Buffer.from('\r\n\r\n')
const protocol = Buffer.from('HTTP/1.')
const noBytes = Buffer.alloc(0)

/** `limit`: most bytes of a message, header included. */
export function createDecoder(limit: number, onMessage: (message: Message) => void): Decoder {
  let head: Buffer = noBytes
  let partial: { status: number; missing: number; chunks: Buffer[] } | undefined

  /** Reads one message or a piece of it. Returns the bytes after it. */
  function step(bytes: Buffer): Buffer {
    if (!partial) {
      // Before a header ends it has at most 8 KiB, so copying it for every chunk is cheap even with single bytes.
      const oldLength = head.length
      head = oldLength === 0 ? bytes : Buffer.concat([head, bytes])
      const end = head.indexOf(blankLine, Math.max(0, oldLength - blankLine.length))
      checkStart(head)
      if ((end < 0 ? head.length : end + blankLine.length) > headerBytes) {
        throw new FramingError(`header: expected at most ${headerBytes} bytes`)
      }
      if (end < 0) {
        // A copy, because a view would keep the whole packet in memory.
        if (head === bytes) head = Buffer.from(bytes)
        return noBytes
      }
      const { status, length } = readHead(head.toString('latin1', 0, end))
      const total = end + blankLine.length + length
      if (total > limit) throw new FramingError(`message: expected at most ${limit} bytes, got ${total}`)
      bytes = head.subarray(end + blankLine.length)
      head = noBytes
      partial = { status, missing: length, chunks: [] }
    }
    const chunk = bytes.subarray(0, partial.missing)
    partial.missing -= chunk.length
    if (partial.missing > 0) {
      if (chunk.length > 0) partial.chunks.push(Buffer.from(chunk))
      return noBytes
    }
    const body = Buffer.concat([...partial.chunks, chunk])
    const { status } = partial
    partial = undefined
    onMessage({ status, body: body.length === 0 ? undefined : body.toString() })
    return bytes.subarray(chunk.length)
  }

  return {
    feed(bytes) {
      for (let rest = bytes; rest.length > 0; ) rest = step(rest)
    },
  }
}

function checkStart(head: Buffer): void {
  const length = Math.min(head.length, protocol.length)
  if (head.compare(protocol, 0, length, 0, length) !== 0) {
    throw new FramingError(`status line: expected HTTP/1.x, got ${JSON.stringify(head.toString('latin1', 0, 40))}`)
  }
}

function readHead(head: string): { status: number; length: number } {
  const [line = '', ...fields] = head.split('\r\n')
  const status = /^HTTP\/1\.\d ([1-9]\d\d)(?: |$)/.exec(line)?.[1]
  if (status === undefined)
    throw new FramingError(`status line: expected a status from 100 to 999, got ${JSON.stringify(line.slice(0, 40))}`)
  let length: number | undefined
  for (const field of fields) {
    const [, name = '', value = ''] = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/.exec(field) ?? []
    if (name === '') {
      throw new FramingError(`header: expected "Name: value", got ${JSON.stringify(field.slice(0, 40))}`)
    }
    if (name.toLowerCase() === 'transfer-encoding')
      throw new FramingError('header: expected Content-Length, got Transfer-Encoding')
    if (name.toLowerCase() !== 'content-length') continue
    if (!/^\d{1,15}$/.test(value) || (length !== undefined && length !== Number(value))) {
      throw new FramingError(`Content-Length: expected one number, got ${JSON.stringify(value.slice(0, 40))}`)
    }
    length = Number(value)
  }
  return { status: Number(status), length: length ?? 0 }
}

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

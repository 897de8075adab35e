// Bytes to messages and back on an agent's connection, without I/O.

/** An agent's HTTP response. `body` is undefined where there is none, and text that may or may not be JSON elsewhere. */
export interface Message {
  status: number
  body: string | undefined
}

/** Bytes that are no message; the connection cannot be used any more. */
export class FramingError extends Error {}

export interface Decoder {
  /** Tells of every message that the bytes complete. Throws a FramingError where they can no longer become one. */
  feed(bytes: Buffer): void
}

/** Status line and headers of an answer; real agents send about 100 bytes. */
const headerBytes = 8 * 1024

const blankLine = Buffer.from('\r\n\r\n')
const protocol = Buffer.from('HTTP/1.')
const none = Buffer.alloc(0)

/** `limit`: bytes of the longest message, header included. */
export function createDecoder(limit: number, onMessage: (message: Message) => void): Decoder {
  let head: Buffer = none
  let partial: { status: number; missing: number; chunks: Buffer[] } | undefined

  /** Reads one message or a part of it, gives the bytes after it. */
  function step(bytes: Buffer): Buffer {
    if (!partial) {
      // Only what the header may still take is copied, so that single bytes cost no more than a few packets.
      const seen = head.length
      head = seen === 0 ? bytes : Buffer.concat([head, bytes])
      const end = head.indexOf(blankLine, Math.max(0, seen - blankLine.length))
      checkStart(head)
      if ((end < 0 ? head.length : end + blankLine.length) > headerBytes) throw new FramingError('endless header')
      if (end < 0) {
        // A slice of a large packet would keep all of it alive.
        if (head === bytes) head = Buffer.from(bytes)
        return none
      }
      const { status, length } = readHead(head.toString('latin1', 0, end))
      if (end + blankLine.length + length > limit)
        throw new FramingError(`message of ${length} bytes is over the limit`)
      bytes = head.subarray(end + blankLine.length)
      head = none
      partial = { status, missing: length, chunks: [] }
    }
    const chunk = bytes.subarray(0, partial.missing)
    partial.missing -= chunk.length
    if (partial.missing > 0) {
      if (chunk.length > 0) partial.chunks.push(Buffer.from(chunk))
      return none
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
    throw new FramingError(`no HTTP response, got ${JSON.stringify(head.toString('latin1', 0, 40))}`)
  }
}

function readHead(head: string): { status: number; length: number } {
  const [line = '', ...fields] = head.split('\r\n')
  const status = /^HTTP\/1\.\d ([1-9]\d\d)(?: |$)/.exec(line)?.[1]
  if (status === undefined) throw new FramingError(`no status line, got ${JSON.stringify(line.slice(0, 40))}`)
  let length: number | undefined
  for (const field of fields) {
    const [, name = '', value = ''] = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/.exec(field) ?? []
    if (name === '') throw new FramingError(`no header field, got ${JSON.stringify(field.slice(0, 40))}`)
    if (name.toLowerCase() === 'transfer-encoding') throw new FramingError('Transfer-Encoding is not for agents')
    if (name.toLowerCase() !== 'content-length') continue
    if (!/^\d{1,15}$/.test(value) || (length !== undefined && length !== Number(value))) {
      throw new FramingError(`Content-Length is no number, got ${JSON.stringify(value.slice(0, 40))}`)
    }
    length = Number(value)
  }
  return { status: Number(status), length: length ?? 0 }
}

/** What agents count by characters against Content-Length must be one byte a character. */
export function toWireJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A request as existing agents read it: these two header fields, and a body of one line or none. */
export function encodeRequest(route: string, body: string): Buffer {
  return Buffer.from(
    `${route} HTTP/1.1\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n${body}`,
    'latin1',
  )
}

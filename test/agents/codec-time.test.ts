// The codec's time: linear in the length of every part of a message, in one chunk and byte by byte.
import { suite } from 'uvu'
import { ok } from 'uvu/assert'
import { Decoder, FramingError } from '../../host/agents/connection/codec.ts'

/** A message in which one part has about so many characters. */
const longParts: Record<string, (length: number) => string> = {
  'a status': length => `HTTP/1.0 ${'2'.repeat(length)}\r\n\r\n`,
  'a reason phrase': length => `HTTP/1.0 200 ${'x'.repeat(length)}\r\n\r\n`,
  'blanks in a reason phrase': length => `HTTP/1.0 200 ${' '.repeat(length)}x\r\n\r\n`,
  'the name of a field': length => `HTTP/1.0 200 OK\r\n${'x'.repeat(length)}: 1\r\n\r\n`,
  'a field without a colon': length => `HTTP/1.0 200 OK\r\n${'x'.repeat(length)}\r\n\r\n`,
  'blanks before a name': length => `HTTP/1.0 200 OK\r\n${' '.repeat(length)}X: 1\r\n\r\n`,
  'a value': length => `HTTP/1.0 200 OK\r\nX: ${'x'.repeat(length)}\r\n\r\n`,
  'blanks before a value': length => `HTTP/1.0 200 OK\r\nContent-Length:${' '.repeat(length)}0\r\n\r\n`,
  'blanks in a length': length => `HTTP/1.0 200 OK\r\nContent-Length: 0${' \t'.repeat(length / 2)}0\r\n\r\n`,
  'blanks after a length': length => `HTTP/1.0 200 OK\r\nContent-Length: 0${' '.repeat(length)}\r\n\r\n`,
  'blanks in a value': length => `HTTP/1.0 200 OK\r\nX: x${' '.repeat(length)}x\r\n\r\n`,
  'digits of a length': length => `HTTP/1.0 200 OK\r\nContent-Length: ${'0'.repeat(length)}\r\n\r\n`,
  'many fields': length => `HTTP/1.0 200 OK\r\n${'X:1\r\n'.repeat(length / 5)}\r\n`,
  'many line feeds': length => `HTTP/1.0 200 OK\r\n${'\n'.repeat(length)}\r\n\r\n`,
  'many carriage returns': length => `HTTP/1.0 200 OK\r\n${'\r'.repeat(length)}\r\n\r\n`,
  'a body': length => `HTTP/1.0 200 OK\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`,
  'many messages': length => 'HTTP/1.0 200\r\n\r\n'.repeat(length / 16),
}

const splits: Record<string, (text: string) => Buffer[]> = {
  'in one chunk': text => [Buffer.from(text)],
  'byte by byte': text => [...Buffer.from(text)].map(byte => Buffer.of(byte)),
}

/** Some parts break the protocol in the end. */
function decode(chunks: Buffer[]): void {
  const decoder = new Decoder(131_072, () => {})
  try {
    for (const chunk of chunks) decoder.feed(chunk)
  } catch (error) {
    if (!(error instanceof FramingError)) throw error
  }
}

/** Milliseconds that decoding the message three times takes. */
function measure(chunks: Buffer[]): number {
  const start = performance.now()
  for (let round = 0; round < 3; round += 1) decode(chunks)
  return performance.now() - start
}

/** Quadratic time would be a hundred times as long. 0.1 ms: the precision for very short times. */
const isLinear = (short: number, long: number) => long < 30 * (short + 0.1)

const test = suite('codec time')

for (const [name, textOf] of Object.entries(longParts)) {
  for (const [form, split] of Object.entries(splits)) {
    test(`${name}, ${form}: of ten times the length it takes about ten times as long`, () => {
      const shortChunks = split(textOf(800))
      const longChunks = split(textOf(8000))
      let short = Number.POSITIVE_INFINITY
      let long = Number.POSITIVE_INFINITY
      // The fastest run counts: others were interrupted.
      for (let run = 0; run < 3 || (run < 500 && !isLinear(short, long)); run += 1) {
        short = Math.min(short, measure(shortChunks))
        long = Math.min(long, measure(longChunks))
      }
      ok(isLinear(short, long), `${short} ms, then ${long} ms`)
    })
  }
}

test.run()

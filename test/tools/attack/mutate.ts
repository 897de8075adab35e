// Random changes of messages: the same seed gives the same changes.

/** Returns numbers from 0 to below 1. */
export type Random = () => number

/** The generator mulberry32: small, fast, and good enough to choose changes. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const below = (random: Random, limit: number): number => Math.floor(random() * limit)

export const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[below(random, items.length)]

type Change = (bytes: Buffer, random: Random, corpus: readonly Buffer[]) => Buffer

const join = (...chunks: (Buffer | string)[]) => Buffer.concat(chunks.map(chunk => Buffer.from(chunk)))
const headerEnd = (bytes: Buffer) => bytes.indexOf('\r\n\r\n')

/** Values where a parser expects a size. */
const sizes = [
  '-1',
  '0',
  '00',
  '1',
  '+5',
  '1e9',
  '0x10',
  '18446744073709551616',
  '9007199254740993',
  '131072',
  '',
  ' 7 ',
  '5, 5',
]

/** Header lines that parsers disagree about. */
const headers = [
  'Content-Length: 5',
  'Content-Length: 4294967296',
  'content-length : 3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Connection: close',
  'Connection: upgrade\r\nUpgrade: h2c',
  'Expect: 100-continue',
  'Expect: nothing',
  `X-Long: ${'y'.repeat(9_000)}`,
  `X-Blank: a${' '.repeat(2_000)}b`,
  ' folded: yes',
  'No colon',
  ': no name',
  'Nul: \0',
  'Bare\nfeed: 1',
]

/** JSON values that a schema or its user may not expect. */
const values = [
  'null',
  '-0',
  '1e999',
  '[]',
  '{}',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  'true',
  '{"__proto__":{"a":1}}',
  '[[[[[[[[]]]]]]]]',
]
const words = [
  '__proto__',
  'constructor',
  '999999999999999',
  '\u202e',
  '../../etc/passwd',
  '=1+1',
  '\0',
  '%00',
  '$(id)',
]

const changes: Change[] = [
  // Flipped bits.
  (bytes, random) => {
    const changed = Buffer.from(bytes)
    for (let count = 1 + below(random, 8); count > 0; count -= 1) {
      const at = below(random, changed.length)
      changed[at] = (changed[at] ?? 0) ^ (1 << below(random, 8))
    }
    return changed
  },
  // Cut off, or cut out.
  (bytes, random) => bytes.subarray(0, below(random, bytes.length)),
  (bytes, random) => {
    const from = below(random, bytes.length)
    return join(bytes.subarray(0, from), bytes.subarray(from + 1 + below(random, 40)))
  },
  // Something twice.
  (bytes, random) => {
    const from = below(random, bytes.length)
    const to = from + below(random, bytes.length - from)
    return join(bytes.subarray(0, to), bytes.subarray(from))
  },
  bytes => join(bytes, bytes),
  // The beginning of one message and the end of another.
  (bytes, random, corpus) => {
    const other = pick(random, corpus) ?? bytes
    return join(bytes.subarray(0, below(random, bytes.length)), other.subarray(below(random, other.length)))
  },
  // Headers.
  (bytes, random) => {
    const at = bytes.indexOf('\r\n') + 2
    return join(bytes.subarray(0, at), `${pick(random, headers)}\r\n`, bytes.subarray(at))
  },
  (bytes, random) => {
    const text = bytes
      .toString('latin1')
      .replace(/(content-length: ?)\d+/i, (_, name) => `${name}${pick(random, sizes)}`)
    return Buffer.from(text, 'latin1')
  },
  bytes => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  // Values of the body, with the right length.
  (bytes, random) => changeBody(bytes, body => body.replace(/:("[^"]*"|\d+|\[|\{)/, () => `:${pick(random, values)}`)),
  (bytes, random) => changeBody(bytes, body => body.replace(/"[^"]*"/, () => JSON.stringify(pick(random, words)))),
  (bytes, random) =>
    changeBody(bytes, body => body.replaceAll(/\d+/g, number => (random() < 0.5 ? number : '999999999999999'))),
  (bytes, random) => changeBody(bytes, body => body.slice(0, below(random, body.length))),
  (bytes, random) => changeBody(bytes, body => body.replace('"', `"${'z'.repeat(below(random, 3_000))}`)),
]

/** Returns a copy with one to three random changes. */
export function mutate(bytes: Buffer, random: Random, corpus: readonly Buffer[]): Buffer {
  let changed = bytes
  for (let count = 1 + below(random, 3); count > 0 && changed.length > 0; count -= 1) {
    changed = pick(random, changes)?.(changed, random, corpus) ?? changed
  }
  return changed
}

/** Changes the body and corrects its length in the header. */
function changeBody(bytes: Buffer, change: (body: string) => string): Buffer {
  const end = headerEnd(bytes)
  if (end < 0) return bytes
  const body = Buffer.from(change(bytes.toString('utf8', end + 4)))
  const head = bytes.toString('latin1', 0, end).replace(/(content-length: ?)\d+/i, (_, name) => `${name}${body.length}`)
  return join(Buffer.from(`${head}\r\n\r\n`, 'latin1'), body)
}

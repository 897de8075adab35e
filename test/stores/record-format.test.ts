// The record format: every damage is detected, and only the beginning of a last record counts as torn.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encode, format, readHeader, scan } from '../../stores/lowdb/journal/record-format.ts'

const test = suite('record format')

const header = { format, file: 'journal.0', after: 0 }
const texts = ['[["rooms",1]]', '[["centers",{"id":1,"name":"Ciències ☃"}]]', JSON.stringify('x'.repeat(120))]
const records = chain([JSON.stringify(header), ...texts])
const intact = Buffer.concat(records)
const ends = records.map((_, at) => Buffer.concat(records.slice(0, at + 1)).length)
const lastBegin = ends[2] ?? 0

function chain(texts: string[], start = 0): Buffer[] {
  let sum = start
  return texts.map(text => {
    const encoded = encode(text, sum)
    sum = encoded.sum
    return encoded.record
  })
}

function read(bytes: Buffer) {
  const texts: string[] = []
  const { size, damage } = scan(bytes, text => texts.push(text))
  return { texts, size, damage }
}

test('records are read as they were written, without the header', () => {
  assert.equal(read(intact), { texts, size: intact.length, damage: undefined })
  assert.equal(readHeader(intact, 'journal.0'), header)
  assert.equal(read(Buffer.alloc(0)), { texts: [], size: 0, damage: undefined })
  assert.is(readHeader(Buffer.alloc(0), 'journal.0'), undefined)
})

test('truncated bytes give all complete records and a torn end', () => {
  for (let length = 0; length < intact.length; length += 1) {
    const result = read(intact.subarray(0, length))
    const complete = ends.filter(end => end <= length).length
    assert.equal(result.texts, texts.slice(0, Math.max(0, complete - 1)))
    const at = complete === 0 ? 0 : ends[complete - 1]
    assert.equal(result.damage, at === length ? undefined : { at, torn: true })
  }
})

test('any change of any byte is damage at its record', () => {
  for (let at = 0; at < intact.length; at += 1) {
    for (let change = 1; change < 256; change += 1) {
      const { damage } = read(changed(at, change))
      const begin = [0, ...ends][ends.findIndex(end => at < end)]
      assert.equal(damage, { at: begin, torn: false }, `byte ${at} ^ ${change}`)
    }
  }
})

test('records that are missing, repeated or moved are damage', () => {
  const [first, a, b, c] = records
  if (!first || !a || !b || !c) throw new Error('expected four records, got fewer')
  for (const list of [
    [a, b, c],
    [first, b, c],
    [first, a, c],
    [first, a, a, b, c],
    [first, b, a, c],
    [first, a, b, c, c],
  ]) {
    const { damage } = read(Buffer.concat(list))
    assert.is(damage?.torn, false)
  }
})

test('nonsense after the last record is damage, the beginning of a record or NULs to the end are a torn end', () => {
  const rests = {
    damage: [Buffer.from('nonsense'), Buffer.from('0000000g 5 ['), Buffer.from('\0x')],
    torn: [Buffer.from('00000000 5 ['), Buffer.alloc(1), Buffer.alloc(4096)],
  }
  for (const [kind, list] of Object.entries(rests)) {
    for (const rest of list) {
      const { damage } = read(Buffer.concat([intact, rest]))
      assert.equal(damage, { at: intact.length, torn: kind === 'torn' }, JSON.stringify(rest.toString()))
    }
  }
})

test('a series of NULs is damage, but a torn end where nothing of the last record has reached the disk', () => {
  for (const [from, to, torn] of [
    [5, (ends[0] ?? 0) + 5, false],
    [lastBegin + 5, intact.length, false],
    [lastBegin, intact.length, true],
  ] as const) {
    const bytes = Buffer.from(intact).fill(0, from, to)
    assert.is(read(bytes).damage?.torn, torn, `${from} to ${to}`)
  }
})

test('the beginning of a record that is followed by NULs is damage', () => {
  const bytes = Buffer.concat([intact.subarray(0, lastBegin + 30), Buffer.alloc(20)])
  assert.equal(read(bytes).damage, { at: lastBegin, torn: false })
})

function changed(at: number, change: number): Buffer {
  const bytes = Buffer.from(intact)
  bytes[at] = (bytes[at] ?? 0) ^ change
  return bytes
}

test.run()

// The record format: every damage is detected, and only an incomplete last record counts as torn.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encode, scan } from '../../stores/lowdb/record-format.ts'

const test = suite('record format')

const texts = ['[["rooms",1]]', '[["centers",{"id":1,"name":"Ciències ☃"}]]', JSON.stringify('x'.repeat(120))]
const intact = Buffer.concat(texts.map(encode))
const ends = texts.map((_, at) => Buffer.concat(texts.slice(0, at + 1).map(encode)).length)

function read(bytes: Buffer) {
  const records: string[] = []
  const damage = scan(bytes, text => records.push(text))
  return { records, damage }
}

/** The record that a byte belongs to. */
const recordOf = (at: number) => ends.findIndex(end => at < end)

test('records are read as they were written', () => {
  assert.equal(read(intact), { records: texts, damage: undefined })
  assert.equal(read(Buffer.alloc(0)), { records: [], damage: undefined })
})

test('truncated bytes give all complete records and a torn end', () => {
  for (let length = 0; length < intact.length; length += 1) {
    const { records, damage } = read(intact.subarray(0, length))
    const complete = ends.filter(end => end <= length).length
    assert.equal(records, texts.slice(0, complete))
    const at = complete === 0 ? 0 : ends[complete - 1]
    assert.equal(damage, at === length ? undefined : { at, torn: true })
  }
})

test('any change of any byte of the last record loses only this record', () => {
  for (let at = ends[1] ?? 0; at < intact.length; at += 1) {
    for (let change = 1; change < 256; change += 1) {
      const { records, damage } = read(changed(at, change))
      assert.equal(records, texts.slice(0, 2))
      assert.equal(damage, { at: ends[1], torn: true }, `byte ${at} ^ ${change}`)
    }
  }
})

test('any change of any byte of an earlier record is damage at this record', () => {
  for (let at = 0; at < (ends[1] ?? 0); at += 1) {
    for (let change = 1; change < 256; change += 1) {
      const { damage } = read(changed(at, change))
      const begin = [0, ...ends][recordOf(at)]
      assert.equal(damage, { at: begin, torn: false }, `byte ${at} ^ ${change}`)
    }
  }
})

test('zeros or nonsense without a line end after the last record are a torn end', () => {
  for (const rest of [Buffer.alloc(4096), Buffer.from('nonsense'), Buffer.from('00000000 5 [')]) {
    assert.equal(read(Buffer.concat([intact, rest])), { records: texts, damage: { at: intact.length, torn: true } })
  }
})

test('a series of zeros in the middle is damage', () => {
  const bytes = Buffer.from(intact)
  bytes.fill(0, 5, (ends[0] ?? 0) + 5)
  assert.equal(read(bytes).damage, { at: 0, torn: false })
})

function changed(at: number, change: number): Buffer {
  const bytes = Buffer.from(intact)
  bytes[at] = (bytes[at] ?? 0) ^ change
  return bytes
}

test.run()

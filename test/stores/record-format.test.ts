// The journal's records: every damage is noticed, and only an unfinished end is taken for one.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encode, scan } from '../../stores/lowdb/record-format.ts'

const records = suite('records of the journal')

const texts = ['[["rooms",1]]', '[["centers",{"id":1,"name":"Ciències ☃"}]]', JSON.stringify('x'.repeat(120))]
const whole = Buffer.concat(texts.map(encode))
const ends = texts.map((_, at) => Buffer.concat(texts.slice(0, at + 1).map(encode)).length)

function read(bytes: Buffer) {
  const found: string[] = []
  const damage = scan(bytes, text => found.push(text))
  return { found, damage }
}

/** The record that a byte belongs to. */
const recordOf = (at: number) => ends.findIndex(end => at < end)

records('are read as they were written', () => {
  assert.equal(read(whole), { found: texts, damage: undefined })
  assert.equal(read(Buffer.alloc(0)), { found: [], damage: undefined })
})

records('cut anywhere end with an unfinished one, after all whole ones', () => {
  for (let length = 0; length < whole.length; length += 1) {
    const { found, damage } = read(whole.subarray(0, length))
    const complete = ends.filter(end => end <= length).length
    assert.equal(found, texts.slice(0, complete))
    const at = complete === 0 ? 0 : ends[complete - 1]
    assert.equal(damage, at === length ? undefined : { at, torn: true })
  }
})

records('with any byte of the last one changed to any other lose that one only', () => {
  for (let at = ends[1] ?? 0; at < whole.length; at += 1) {
    for (let change = 1; change < 256; change += 1) {
      const { found, damage } = read(changed(at, change))
      assert.equal(found, texts.slice(0, 2))
      assert.equal(damage, { at: ends[1], torn: true }, `byte ${at} ^ ${change}`)
    }
  }
})

records('with any byte of an earlier one changed to any other are refused there', () => {
  for (let at = 0; at < (ends[1] ?? 0); at += 1) {
    for (let change = 1; change < 256; change += 1) {
      const { damage } = read(changed(at, change))
      const begin = [0, ...ends][recordOf(at)]
      assert.equal(damage, { at: begin, torn: false }, `byte ${at} ^ ${change}`)
    }
  }
})

records('followed by zeros or by nonsense without a line end have an unfinished end', () => {
  for (const rest of [Buffer.alloc(4096), Buffer.from('nonsense'), Buffer.from('00000000 5 [')]) {
    assert.equal(read(Buffer.concat([whole, rest])), { found: texts, damage: { at: whole.length, torn: true } })
  }
})

records('with a stretch of zeros in the middle are refused', () => {
  const bytes = Buffer.from(whole)
  bytes.fill(0, 5, (ends[0] ?? 0) + 5)
  assert.equal(read(bytes).damage, { at: 0, torn: false })
})

function changed(at: number, change: number): Buffer {
  const bytes = Buffer.from(whole)
  bytes[at] = (bytes[at] ?? 0) ^ change
  return bytes
}

records.run()

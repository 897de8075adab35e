// The rules for a store as a whole: what a dump holds, and what loading it leaves.
import * as assert from 'uvu/assert'
import type { Entry, Store } from '../../stores/store.ts'
import { everything, fill } from './fill.ts'
import type { Rule } from './rule.ts'
import { addCenter, addLab, computer, software } from './samples.ts'

export async function entriesOf(store: Store): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of store.backup.dump()) entries.push(entry)
  return entries
}

export async function* given(entries: Entry[]): AsyncGenerator<Entry> {
  yield* entries
}

export function whole(rule: Rule): void {
  rule('a new store is empty, one that ever gave an id is not', async store => {
    assert.is(await store.backup.isEmpty(), true)
    const center = await addCenter(store)
    assert.is(await store.backup.isEmpty(), false)
    await store.centers.delete(center)
    assert.is(await store.backup.isEmpty(), false)
  })

  rule('a dump gives rows after those that they name, and each shared list once', async store => {
    await fill(store, 'first')
    const entries = await entriesOf(store)
    const rows = (wanted: string) => entries.filter(([name, row]) => name === wanted && typeof row !== 'number')
    assert.is(rows('hardware').length, 1)
    assert.is(rows('software').length, 1)
    const order = [...new Set(entries.map(([name]) => name))]
    const before = (a: Entry[0], b: Entry[0]) => assert.ok(order.indexOf(a) < order.indexOf(b), `${a} before ${b}`)
    before('centers', 'rooms')
    before('rooms', 'computers')
    before('repositories', 'computers')
    before('hardware', 'computers')
    before('software', 'images')
    before('computers', 'partitions')
    before('images', 'partitions')
    before('systems', 'partitions')
  })

  rule('loading a dump brings everything back, in place of what is there', async store => {
    await fill(store, 'first')
    const [before, entries] = [await everything(store), await entriesOf(store)]
    await store.centers.delete(1)
    await fill(store, 'second')
    await store.backup.load(given(entries))
    assert.equal(await everything(store), before)
    assert.equal(await entriesOf(store).then(rowsOf), rowsOf(entries))
  })

  rule('a dump is what was there when it was asked for', async store => {
    const lab = await addLab(store, '10.0.0.1')
    await store.inventory.setSoftware('10.0.0.1', 1, 1, software('Debian', 'vim'))
    const entries = await entriesOf(store)
    const dump = store.backup.dump()
    await store.inventory.setSoftware('10.0.0.1', 1, 1, software('other'))
    await store.computers.add([computer(lab, '10.0.0.2')])
    const late: Entry[] = []
    for await (const entry of dump) late.push(entry)
    assert.equal(late, entries)
  })

  rule('ids that were given before or after a dump are not given again once it is loaded', async store => {
    const first = await addCenter(store, 'first')
    await store.centers.delete(first)
    const entries = await entriesOf(store)
    const second = await addCenter(store, 'second')
    await store.backup.load(given(entries))
    assert.equal(await store.scopes(), [])
    assert.ok((await addCenter(store, 'third')) > second)
  })

  rule('a dump that breaks off changes nothing', async store => {
    await fill(store, 'first')
    const before = await everything(store)
    const [entry] = await entriesOf(store)
    async function* broken(): AsyncGenerator<Entry> {
      if (entry) yield entry
      throw new Error('broken off')
    }
    const refused = await store.backup.load(broken()).catch(error => error.message)
    assert.is(refused, 'broken off')
    assert.equal(await everything(store), before)
  })
}

/** All rows; parts one by one, as a dump may cut them as it likes. */
const rowsOf = (entries: Entry[]) =>
  entries.flatMap(([name, row]): unknown[] => {
    if (typeof row === 'number') return []
    if (!('parts' in row)) return [[name, row]]
    return row.parts.map((part, at) => [name, row.id, row.from + at, part])
  })

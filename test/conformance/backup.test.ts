// The rules for dumps: what they contain, and the result of loading them.
import * as assert from 'uvu/assert'
import type { Entry } from '../../stores/store.ts'
import { entriesOf, everything, fill, toStream } from './fill.ts'
import type { Rule } from './rule.ts'
import { addCenter, addLab, computer, software } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

function backup(rule: Rule): void {
  rule('a new store is empty, a store that ever assigned an id is not', async store => {
    assert.is(await store.backup.isEmpty(), true)
    const center = await addCenter(store)
    assert.is(await store.backup.isEmpty(), false)
    await store.centers.delete(center)
    assert.is(await store.backup.isEmpty(), false)
  })

  rule('a dump contains rows after the rows that they name, and each shared list once', async store => {
    await fill(store, 'first')
    const entries = await entriesOf(store)
    const rowsIn = (collection: string) =>
      entries.filter(([name, row]) => name === collection && typeof row !== 'number')
    assert.is(rowsIn('hardware').length, 1)
    assert.is(rowsIn('software').length, 1)
    const names = [...new Set(entries.map(([name]) => name))]
    const before = (a: Entry[0], b: Entry[0]) => assert.ok(names.indexOf(a) < names.indexOf(b), `${a} before ${b}`)
    before('centers', 'rooms')
    before('rooms', 'computers')
    before('repositories', 'computers')
    before('hardware', 'computers')
    before('software', 'images')
    before('rooms', 'tokens')
    before('rooms', 'users')
    before('users', 'schedules')
    before('computers', 'partitions')
    before('images', 'partitions')
    before('systems', 'partitions')
  })

  rule('loading a dump replaces everything in the store', async store => {
    await fill(store, 'first')
    const [before, entries] = [await everything(store), await entriesOf(store)]
    await store.centers.delete(1)
    await fill(store, 'second')
    await store.backup.load(toStream(entries))
    assert.equal(await everything(store), before)
    assert.equal(await entriesOf(store).then(rowsOf), rowsOf(entries))
  })
}

function dumps(rule: Rule): void {
  rule('a dump contains the state of the moment when it was requested', async store => {
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

  rule('ids that were assigned before or after a dump are not assigned again after loading it', async store => {
    const first = await addCenter(store, 'first')
    await store.centers.delete(first)
    const entries = await entriesOf(store)
    const second = await addCenter(store, 'second')
    await store.backup.load(toStream(entries))
    assert.equal(await store.scopes(), [])
    assert.ok((await addCenter(store, 'third')) > second)
  })

  rule('a dump of an earlier version, without tokens, users and `by` of jobs and schedules, is loaded', async store => {
    await fill(store, 'first')
    const entries = (await entriesOf(store)).flatMap(([name, row]): Entry[] => {
      if (name === 'tokens' || name === 'users' || name === 'undos') return []
      if (typeof row === 'number' || !('by' in row)) return [[name, row]]
      const { by, ...others } = row
      // `as`: rows of that version are not typed.
      return [[name, others as typeof row]]
    })
    await store.backup.load(toStream(entries))
    assert.equal([await store.tokens.list(), await store.users.list()], [[], []])
    const [job, schedule] = [(await store.jobs.list({ limit: 1 }))[0], (await store.schedules.list())[0]]
    assert.equal([job?.by, schedule?.by], ['', 'admin'])
  })

  rule('loading a dump that ends with an error changes nothing', async store => {
    await fill(store, 'first')
    const before = await everything(store)
    const [entry] = await entriesOf(store)
    async function* broken(): AsyncGenerator<Entry> {
      if (entry) yield entry
      throw new Error('connection lost')
    }
    const refused = await store.backup.load(broken()).catch(error => error.message)
    assert.is(refused, 'connection lost')
    assert.equal(await everything(store), before)
  })
}

/** All rows; parts one by one, because a dump may split the parts of a job at any index. */
const rowsOf = (entries: Entry[]) =>
  entries.flatMap(([name, row]): unknown[] => {
    if (typeof row === 'number') return []
    if (!('parts' in row)) return [[name, row]]
    return row.parts.map((part, at) => [name, row.id, row.from + at, part])
  })

conformance({ backup, dumps })

// Writes that the embedded store cannot carry out: errors of the disk, and values that are no JSON.
import { type FileHandle, open as openFile } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findFiles } from '../../stores/lowdb/files.ts'
import { everything } from '../conformance/fill.ts'
import { addLab } from '../conformance/samples.ts'
import { failure, newFolder, openIn } from '../harness/store-folders.ts'

const test = suite('write errors of the embedded store')

test('after a disk error a store can be read, but not written before the next start', async () => {
  const lines: string[] = []
  const log = { info() {}, warn: (_: string, text: string) => void lines.push(text) }
  const opened = await openIn(await newFolder(), {}, log)
  const { store } = opened
  await store.centers.add({ name: 'first', comment: '' })
  const restore = await breakFiles('write', 'EIO')
  const together = ['a', 'b', 'c'].map(name => failure(store.centers.add({ name, comment: '' })))
  for (const reason of await Promise.all(together)) assert.match(reason, 'EIO')
  restore()
  assert.match(
    await failure(store.centers.add({ name: 'later', comment: '' })),
    /could not write to .*; writes are refused until the next start$/,
  )
  assert.equal(
    (await store.scopes()).map(({ name }) => name),
    ['first'],
  )
  assert.is(lines.length, 1)
  assert.match(lines[0] ?? '', 'writes are refused until the next start')
  const again = await opened.reopen()
  await again.centers.add({ name: 'later', comment: '' })
  await opened.remove()
})

test('when a new journal may lose its name in a power cut, the one before gets no more records until the next start', async () => {
  const opened = await openIn(await newFolder(), { journal_bytes: 10 })
  const restore = await breakFiles('sync', 'EIO')
  const add = (name: string) => failure(opened.store.centers.add({ name, comment: '' }))
  for (const name of ['first', 'second']) assert.is(await add(name), 'no failure')
  assert.match(await add('third'), /journal\.1: EIO.*writes are refused until the next start$/)
  restore()
  const again = await opened.reopen()
  assert.is(await again.centers.add({ name: 'third', comment: '' }), 3)
  assert.equal(
    (await again.scopes()).map(({ name }) => name),
    ['first', 'second', 'third'],
  )
  await opened.remove()
})

test('without free space for a snapshot the journal continues, and a snapshot follows when there is space', async () => {
  const lines: string[] = []
  const log = { info() {}, warn: (_: string, text: string) => void lines.push(text) }
  const opened = await openIn(await newFolder(), { journal_bytes: 1000 }, log)
  // Without unfinished snapshots, which may disappear meanwhile.
  const snapshots = async () => (await findFiles(opened.options.path)).snapshots.length
  let count = 0
  const add = async () => {
    count += 1
    await opened.store.centers.add({ name: `${count}`, comment: '' })
  }
  const restore = await breakFiles('appendFile', 'ENOSPC')
  while (lines.length < 2) await add()
  assert.match(lines[0] ?? '', 'could not take a snapshot: ENOSPC')
  restore()
  while ((await snapshots()) < 2) await add()
  assert.is((await (await opened.reopen()).scopes()).length, count)
  await opened.remove()
})

test('a write that cannot be expressed as JSON is refused and leaves nothing, in memory and on disk', async () => {
  const opened = await openIn(await newFolder())
  const { store } = opened
  await addLab(store, '10.0.0.1')
  const before = await everything(store)
  let nested: unknown = []
  for (let depth = 0; depth < 100_000; depth += 1) nested = [nested]
  const throwing = {
    toJSON() {
      throw new Error('refused by the value')
    },
  }
  const reasons = { [/call stack/.source]: nested, [/refused by the value/.source]: throwing, [/BigInt/.source]: 1n }
  for (const [reason, value] of Object.entries(reasons)) {
    // `as`: callers in TypeScript cannot pass such values, but a payload from outside may contain them.
    const comment = value as string
    const writes = [
      store.centers.add({ name: 'before', comment: '' }),
      store.centers.add({ name: 'refused', comment }),
      store.centers.add({ name: 'after', comment: '' }),
    ]
    const [first, refused, last] = await Promise.all(writes.map(failure))
    assert.equal([first, last], ['no failure', 'no failure'])
    assert.match(refused ?? '', new RegExp(reason))
    for (const name of ['before', 'after']) {
      const center = (await store.scopes()).find(center => center.name === name)
      await store.centers.delete(center?.id ?? 0)
    }
    assert.equal(await everything(store), before)
  }
  assert.equal(await everything(await opened.reopen()), before)
  await opened.remove()
})

/** Makes one method of all file handles fail until the returned function is called. */
async function breakFiles(method: 'write' | 'appendFile' | 'sync', code: string): Promise<() => void> {
  const handle = await openFile('/dev/null', 'r')
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const original = prototype[method]
  const fails = async () => {
    throw Object.assign(new Error(`${code}: failed, ${method}`), { code })
  }
  Object.assign(prototype, { [method]: fails })
  return () => void Object.assign(prototype, { [method]: original })
}

test.run()

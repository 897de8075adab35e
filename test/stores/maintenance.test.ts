// Checks and repairs of the embedded store's files, and reads while a daemon runs.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open, { check, repair } from '../../stores/lowdb/index.ts'
import { everything, fill } from '../conformance/fill.ts'
import { contents, failure, newFolder, openIn, silent, takeSnapshot } from '../harness/store-folders.ts'

const test = suite('maintenance of the embedded store')

/** Fills a store three times, with a snapshot after the first and the second time; the rest is only in the journal. */
async function folderWithTwoGenerations() {
  const path = await newFolder()
  for (const name of ['first', 'second', 'third']) {
    const { store } = await openIn(path)
    await fill(store, name)
    await store.close()
    if (name !== 'third') await takeSnapshot(path)
  }
  const options = { adapter: 'lowdb', path }
  const all = async () => {
    const store = await open(options, silent)
    return everything(store).finally(() => store.close())
  }
  return { path, options, all, before: await all(), remove: () => rm(path, { recursive: true }) }
}

/** Changes a byte in the middle of a file; returns the start of its record. */
async function damage(file: string): Promise<number> {
  const bytes = await readFile(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 0x15
  await writeFile(file, bytes)
  return bytes.lastIndexOf('\n', at - 1) + 1
}

const areGood = (findings: { ok: boolean }[]) => findings.every(({ ok }) => ok)

test('a check finds no problems in intact files, and a repair changes nothing', async () => {
  const { path, options, remove } = await folderWithTwoGenerations()
  const before = await contents(path)
  const findings = await check(options)
  assert.ok(areGood(findings))
  assert.is(findings.length, 2 + 2 + 1)
  assert.equal(await repair(options), [{ ok: true, message: 'nothing to repair' }])
  assert.equal(await contents(path), before)
  await remove()
})

test('a damaged newest snapshot is repaired from the previous generation without loss', async () => {
  const { path, options, all, before, remove } = await folderWithTwoGenerations()
  const at = await damage(join(path, 'snapshot.2'))
  const problems = (await check(options)).filter(({ ok }) => !ok)
  assert.ok(problems.length > 0)
  assert.match(problems[0]?.message ?? '', `snapshot.2 is damaged at byte ${at};`)
  const findings = await repair(options)
  assert.ok(areGood(findings))
  assert.match(findings[0]?.message ?? '', 'rolled forward from snapshot.1')
  assert.equal(await all(), before)
  assert.ok(areGood(await check(options)))
  assert.ok((await contents(join(path, 'before-repair.3'))).has('snapshot.2'))
  await remove()
})

test('a repair recovers the records before a damaged one, and reports the loss', async () => {
  const { path, options, all, before, remove } = await folderWithTwoGenerations()
  const at = await damage(join(path, 'journal.2'))
  const findings = await repair(options)
  assert.is(areGood(findings), false)
  assert.match(findings[1]?.message ?? '', new RegExp(`^lost: \\d+ bytes of journal.2 from byte ${at} on$`))
  assert.ok(areGood(await check(options)))
  const after = await all()
  assert.not.equal(after, before)
  assert.match(JSON.stringify(after), 'system second')
  await remove()
})

test('a repair writes a new generation when only the previous one is damaged', async () => {
  const { path, options, all, before, remove } = await folderWithTwoGenerations()
  await damage(join(path, 'snapshot.1'))
  assert.is(areGood(await check(options)), false)
  assert.ok(areGood(await repair(options)))
  assert.ok(areGood(await check(options)))
  assert.equal(await all(), before)
  await remove()
})

test('checks and repairs are refused while a daemon runs, and where there is no store', async () => {
  const opened = await openIn(await newFolder())
  const { options } = opened
  assert.match(await failure(check(options)), 'is in use by process')
  assert.match(await failure(repair(options)), 'is in use by process')
  await opened.remove()
  assert.match(await failure(check(options)), 'ENOENT')
  const empty = await newFolder()
  assert.is(await failure(check({ ...options, path: empty })), `store: there is no store in ${empty}`)
  assert.is((await contents(empty)).size, 0)
  await rm(empty, { recursive: true })
})

test('a store can be read while a running daemon writes to it and takes snapshots', async () => {
  const opened = await openIn(await newFolder(), { journal_bytes: 3000 })
  let written = 0
  let isReading = true
  const writing = (async () => {
    for (; isReading; written += 1) await opened.store.centers.add({ name: `${written}`, comment: '' })
  })()
  for (let round = 0; round < 30; round += 1) {
    const before = written
    const reader = await open({ ...opened.options, readonly: true }, silent)
    const names = (await reader.scopes()).map(({ name }) => name)
    assert.ok(names.length >= before)
    assert.equal(
      names,
      names.map((_, at) => `${at}`),
    )
    assert.match(await failure(reader.centers.add({ name: 'x', comment: '' })), 'open for reading only')
    assert.is((await reader.scopes()).length, names.length)
    await reader.close()
  }
  isReading = false
  await writing
  await opened.remove()
})

test.run()

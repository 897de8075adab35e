// Checking and repairing the embedded store's files, and reading them beside a running daemon.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open, { check, repair } from '../../stores/lowdb/index.ts'
import { everything, fill } from '../conformance/fill.ts'
import { contents, failure, newFolder, openIn, silent, takeSnapshot } from '../harness/store-folders.ts'

const upkeep = suite('upkeep of the embedded store')

/** Two generations: a snapshot each after the first and the second part; the third is only in the journal. */
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

async function damage(file: string, share = 0.5): Promise<number> {
  const bytes = await readFile(file)
  const at = Math.floor(bytes.length * share)
  bytes[at] = (bytes[at] ?? 0) ^ 0x15
  await writeFile(file, bytes)
  return bytes.lastIndexOf('\n', at - 1) + 1
}

const goodOnes = (findings: { ok: boolean }[]) => findings.every(({ ok: good }) => good)

upkeep('finds nothing wrong with whole files, and repairs nothing', async () => {
  const { path, options, remove } = await folderWithTwoGenerations()
  const before = await contents(path)
  const findings = await check(options)
  assert.ok(goodOnes(findings))
  assert.is(findings.length, 2 + 2 + 1)
  assert.equal(await repair(options), [{ good: true, what: 'nothing to repair' }])
  assert.equal(await contents(path), before)
  await remove()
})

upkeep('rolls forward from the previous generation when the newest snapshot is damaged, without loss', async () => {
  const { path, options, all, before, remove } = await folderWithTwoGenerations()
  const at = await damage(join(path, 'snapshot.2'))
  const wrong = (await check(options)).filter(({ ok: good }) => !good)
  assert.ok(wrong.length > 0)
  assert.match(wrong[0]?.message ?? '', `snapshot.2 is damaged at byte ${at};`)
  const findings = await repair(options)
  assert.ok(goodOnes(findings))
  assert.match(findings[0]?.message ?? '', 'rolled forward from snapshot.1')
  assert.equal(await all(), before)
  assert.ok(goodOnes(await check(options)))
  assert.ok((await contents(join(path, 'before-repair.3'))).has('snapshot.2'))
  await remove()
})

upkeep('saves what was written before a damaged record, and tells what is lost', async () => {
  const { path, options, all, before, remove } = await folderWithTwoGenerations()
  const at = await damage(join(path, 'journal.2'))
  const findings = await repair(options)
  assert.is(goodOnes(findings), false)
  assert.match(findings[1]?.message ?? '', new RegExp(`^lost: \\d+ bytes of journal.2 from byte ${at} on$`))
  assert.ok(goodOnes(await check(options)))
  const after = await all()
  assert.not.equal(after, before)
  assert.match(JSON.stringify(after), 'system second')
  await remove()
})

upkeep('makes a new generation when only the previous one is damaged', async () => {
  const { path, options, all, before, remove } = await folderWithTwoGenerations()
  await damage(join(path, 'snapshot.1'))
  assert.is(goodOnes(await check(options)), false)
  assert.ok(goodOnes(await repair(options)))
  assert.ok(goodOnes(await check(options)))
  assert.equal(await all(), before)
  await remove()
})

upkeep('is refused while a daemon runs, and where there is no store', async () => {
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

upkeep('is not needed to read beside a running daemon, which writes and takes snapshots meanwhile', async () => {
  const opened = await openIn(await newFolder(), { journal_bytes: 3000 })
  let written = 0
  let reading = true
  const writing = (async () => {
    for (; reading; written += 1) await opened.store.centers.add({ name: `${written}`, comment: '' })
  })()
  for (let round = 0; round < 30; round += 1) {
    const before = written
    const beside = await open({ ...opened.options, readonly: true }, silent)
    const names = (await beside.scopes()).map(({ name }) => name)
    assert.ok(names.length >= before)
    assert.equal(
      names,
      names.map((_, at) => `${at}`),
    )
    assert.match(await failure(beside.centers.add({ name: 'x', comment: '' })), 'open for reading only')
    assert.is((await beside.scopes()).length, names.length)
    await beside.close()
  }
  reading = false
  await writing
  await opened.remove()
})

upkeep.run()

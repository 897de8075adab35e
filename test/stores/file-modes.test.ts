// Only the daemon's user has access to the files of the embedded store.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { repair } from '../../stores/lowdb/index.ts'
import { job, part } from '../conformance/work-samples.ts'
import { newFolder, openIn, takeSnapshot } from '../harness/store-folders.ts'

const test = suite('access to the files of the embedded store')

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
/** The modes of the folder itself and of everything in it. */
const modesIn = (path: string) =>
  Object.fromEntries(['.', ...readdirSync(path)].map(name => [name, modeOf(join(path, name))]))

/** What is created has its mode although nothing is masked. */
const umask = process.umask(0)
test.after(() => void process.umask(umask))

function createLog() {
  const lines: string[] = []
  const line = (level: string) => (where: string, text: string) => void lines.push(`${level} ${where}: ${text}`)
  return { lines, info: line('info'), warn: line('warn') }
}

test('journal, snapshot, outputs and lock are created with 600, the folder with 700, folders above as usual', async () => {
  const parent = join(await newFolder(), 'above')
  const path = join(parent, 'data')
  const { store } = await openIn(path)
  await store.jobs.add(job(), [part('10.0.0.1', { output: 'a long output '.repeat(100) })])
  await store.close()
  await takeSnapshot(path)
  assert.equal(modesIn(path), {
    '.': '700',
    'journal.0': '600',
    'journal.1': '600',
    lock: '600',
    'outputs.1': '600',
    'snapshot.1': '600',
  })
  assert.is(modeOf(parent), '777')
  await rm(parent, { recursive: true })
})

test('the folder in which a repair keeps the old files has 700', async () => {
  const path = await newFolder()
  const { store } = await openIn(path)
  await store.jobs.add(job(), [part('10.0.0.1', { output: 'a long output '.repeat(100) })])
  await store.close()
  const journal = join(path, 'journal.0')
  const bytes = await readFile(journal)
  await writeFile(journal, bytes.subarray(0, bytes.length / 2))
  await repair({ adapter: 'lowdb', path })
  const folder = readdirSync(path).find(name => name.startsWith('before-repair.')) ?? ''
  assert.is(modeOf(join(path, folder)), '700')
  assert.is(modeOf(join(path, folder, 'journal.0')), '600')
  await rm(path, { recursive: true })
})

/** A store as an earlier version created it, open to others, with a file that is not the store's. */
async function openFolder(): Promise<string> {
  const path = await newFolder()
  const { store } = await openIn(path)
  await store.jobs.add(job(), [part('10.0.0.1', { output: 'a long output '.repeat(100) })])
  await store.close()
  mkdirSync(join(path, 'before-repair.7'))
  writeFileSync(join(path, 'notes'), '')
  for (const name of readdirSync(path)) chmodSync(join(path, name), name.startsWith('before') ? 0o755 : 0o644)
  chmodSync(path, 0o755)
  return path
}

test('a start restricts the access to files of an earlier version, with one log line', async () => {
  const path = await openFolder()
  const log = createLog()
  await (await openIn(path, {}, log)).store.close()
  const expected = {
    '.': '700',
    'before-repair.7': '700',
    'journal.0': '600',
    lock: '600',
    notes: '644',
    'outputs.1': '600',
  }
  assert.equal(modesIn(path), expected)
  assert.equal(log.lines, [
    `info store: ${path}: others could read the folder and 4 files in it, now only the owner can`,
  ])
  await (await openIn(path, {}, log)).store.close()
  assert.is(log.lines.length, 1)
  await rm(path, { recursive: true })
})

test('others may still enter a folder that contains folders of boot files or images', async () => {
  const path = await openFolder()
  mkdirSync(join(path, 'boot'), { mode: 0o755 })
  await (await openIn(path)).store.close()
  assert.is(modeOf(path), '711')
  assert.is(modeOf(join(path, 'boot')), '755')
  chmodSync(path, 0o700)
  await (await openIn(path)).store.close()
  assert.is(modeOf(path), '700')
  await rm(path, { recursive: true })
})

// Only root can give files to others, and make a mode unchangeable.
if (process.getuid?.() === 0) {
  test('files of another user keep their mode', async () => {
    const path = await openFolder()
    chownSync(join(path, 'outputs.1'), 12345, 12345)
    await (await openIn(path)).store.close()
    assert.is(modeOf(join(path, 'outputs.1')), '644')
    await rm(path, { recursive: true })
  })

  test('a mode that cannot be changed is a warning, and the store opens', async () => {
    const path = await openFolder()
    const file = join(path, 'before-repair.7')
    // As a file system without modes would refuse it.
    if (spawnSync('chattr', ['+i', file]).status === 0) {
      const log = createLog()
      await (await openIn(path, {}, log)).store.close()
      assert.match(log.lines[0] ?? '', 'warn store: could not restrict access: EPERM: ')
      assert.match(log.lines[1] ?? '', 'others could read the folder and 3 files in it')
      spawnSync('chattr', ['-i', file])
    }
    await rm(path, { recursive: true })
  })
}

test.run()

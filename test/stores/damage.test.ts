// Damaged files of the embedded store: an incomplete last record is removed, other damage is refused and not touched.
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open from '../../stores/lowdb/index.ts'
import { contents, failure, newFolder, openIn, silent, takeSnapshot } from '../harness/store-folders.ts'

const test = suite('damaged files of the embedded store')

/** Creates a store with these centers, each in a record of its own. */
async function folderWith(...names: string[]): Promise<string> {
  const path = await newFolder()
  const { store } = await openIn(path)
  for (const name of names) await store.centers.add({ name, comment: '' })
  await store.close()
  return path
}

async function centersIn(path: string, log = silent): Promise<string[]> {
  const store = await open({ adapter: 'lowdb', path }, log)
  const names = (await store.scopes()).map(({ name }) => name)
  await store.close()
  return names
}

async function change(file: string, at: number): Promise<void> {
  const bytes = await readFile(file)
  bytes[at] = (bytes[at] ?? 0) ^ 0x15
  await writeFile(file, bytes)
}

test('damage of any byte of the last record loses only this record, and is logged', async () => {
  const path = await folderWith('one', 'two', 'three')
  const journal = join(path, 'journal.0')
  const intact = await readFile(journal)
  const last = intact.lastIndexOf('\n', intact.length - 2) + 1
  for (let at = last; at < intact.length; at += 1) {
    await writeFile(journal, intact)
    await change(journal, at)
    const lines: string[] = []
    const log = { info() {}, warn: (where: string, text: string) => void lines.push(`${where}: ${text}`) }
    assert.equal(await centersIn(path, log), ['one', 'two'])
    assert.equal(lines, [
      `store: ${journal}: removed an incomplete record of ${intact.length - last} bytes at byte ${last}`,
    ])
    assert.is((await readFile(journal)).length, last)
  }
  await rm(path, { recursive: true })
})

test('a truncated last record is lost alone, and the next write replaces it', async () => {
  const path = await folderWith('one', 'two')
  const journal = join(path, 'journal.0')
  const intact = await readFile(journal)
  const last = intact.lastIndexOf('\n', intact.length - 2) + 1
  for (let length = last; length < intact.length; length += 7) {
    await writeFile(journal, intact.subarray(0, length))
    const store = await open({ adapter: 'lowdb', path }, silent)
    await store.centers.add({ name: 'three', comment: '' })
    await store.close()
    assert.equal(await centersIn(path), ['one', 'three'])
  }
  await rm(path, { recursive: true })
})

test('damage before the last record is refused with file, byte and remedy, and no file changes', async () => {
  const path = await folderWith('one', 'two', 'three')
  const journal = join(path, 'journal.0')
  const second = (await readFile(journal)).indexOf('\n') + 1
  await change(journal, second + 30)
  await writeFile(join(path, 'snapshot.1.tmp'), 'left by an interrupted snapshot')
  const before = await contents(path)
  const reason = await failure(centersIn(path))
  assert.match(reason, `${journal} is damaged at byte ${second};`)
  assert.match(reason, 'npm run store -- repair')
  assert.not.match(reason, '\n')
  assert.equal(await contents(path), before)
  await rm(path, { recursive: true })
})

test('damage of any byte of a snapshot is refused, and so is a missing or truncated file', async () => {
  const path = await folderWith('one', 'two', 'three')
  await takeSnapshot(path)
  const [snapshot, journal] = [join(path, 'snapshot.1'), join(path, 'journal.1')]
  const intact = await readFile(snapshot)
  for (let at = 0; at < intact.length; at += 1) {
    await change(snapshot, at)
    assert.match(await failure(centersIn(path)), /snapshot\.\d+ (is damaged|ends too early) at byte \d+;/)
    await writeFile(snapshot, intact)
  }
  await writeFile(snapshot, intact.subarray(0, intact.lastIndexOf('\n', intact.length - 2) + 1))
  assert.match(await failure(centersIn(path)), 'ends too early')
  await writeFile(snapshot, intact)
  const copy = await newFolder()
  await cp(path, copy, { recursive: true })
  await rm(journal)
  assert.match(await failure(centersIn(path)), `${journal} is missing`)
  assert.equal(await centersIn(copy), ['one', 'two', 'three'])
  for (const folder of [path, copy]) await rm(folder, { recursive: true })
})

test.run()

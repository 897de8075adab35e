// The embedded store's files after damage: an unfinished end is cut off, anything else is refused and left alone.
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open from '../../stores/lowdb/index.ts'
import { contents, failure, newFolder, openIn, silent, takeSnapshot } from '../harness/store-folders.ts'

const damage = suite('damage in the embedded store')

/** A folder of a store with these centers, each in a record of its own. */
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

damage('of any byte of the last record loses that record only, and the log tells', async () => {
  const path = await folderWith('one', 'two', 'three')
  const journal = join(path, 'journal.0')
  const whole = await readFile(journal)
  const last = whole.lastIndexOf('\n', whole.length - 2) + 1
  for (let at = last; at < whole.length; at += 1) {
    await writeFile(journal, whole)
    await change(journal, at)
    const lines: string[] = []
    const log = { info() {}, warn: (where: string, what: string) => void lines.push(`${where}: ${what}`) }
    assert.equal(await centersIn(path, log), ['one', 'two'])
    assert.equal(lines, [
      `store: ${journal}: cut off an unfinished record of ${whole.length - last} bytes at byte ${last}`,
    ])
    assert.is((await readFile(journal)).length, last)
  }
  await rm(path, { recursive: true })
})

damage('of the end, wherever it was cut, loses the unfinished record only, and writing goes on behind it', async () => {
  const path = await folderWith('one', 'two')
  const journal = join(path, 'journal.0')
  const whole = await readFile(journal)
  const last = whole.lastIndexOf('\n', whole.length - 2) + 1
  for (let length = last; length < whole.length; length += 7) {
    await writeFile(journal, whole.subarray(0, length))
    const store = await open({ adapter: 'lowdb', path }, silent)
    await store.centers.add({ name: 'three', comment: '' })
    await store.close()
    assert.equal(await centersIn(path), ['one', 'three'])
  }
  await rm(path, { recursive: true })
})

damage('before the last record is refused with file, byte and remedy, and nothing is touched', async () => {
  const path = await folderWith('one', 'two', 'three')
  const journal = join(path, 'journal.0')
  const second = (await readFile(journal)).indexOf('\n') + 1
  await change(journal, second + 30)
  await writeFile(join(path, 'snapshot.1.tmp'), 'left by a stopped snapshot')
  const before = await contents(path)
  const reason = await failure(centersIn(path))
  assert.match(reason, `${journal} is damaged at byte ${second};`)
  assert.match(reason, 'npm run store -- repair')
  assert.not.match(reason, '\n')
  assert.equal(await contents(path), before)
  await rm(path, { recursive: true })
})

damage('of any byte of a snapshot is refused, and a missing or shortened file too', async () => {
  const path = await folderWith('one', 'two', 'three')
  await takeSnapshot(path)
  const [snapshot, journal] = [join(path, 'snapshot.1'), join(path, 'journal.1')]
  const whole = await readFile(snapshot)
  for (let at = 0; at < whole.length; at += 1) {
    await change(snapshot, at)
    assert.match(await failure(centersIn(path)), /snapshot\.\d+ (is damaged|ends too early) at byte \d+;/)
    await writeFile(snapshot, whole)
  }
  await writeFile(snapshot, whole.subarray(0, whole.lastIndexOf('\n', whole.length - 2) + 1))
  assert.match(await failure(centersIn(path)), 'ends too early')
  await writeFile(snapshot, whole)
  const copy = await newFolder()
  await cp(path, copy, { recursive: true })
  await rm(journal)
  assert.match(await failure(centersIn(path)), `${journal} is missing`)
  assert.equal(await centersIn(copy), ['one', 'two', 'three'])
  for (const folder of [path, copy]) await rm(folder, { recursive: true })
})

damage.run()

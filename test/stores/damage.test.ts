// Damaged files of the embedded store: only the beginning of a last record is removed, other damage is refused.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open, { check, repair } from '../../stores/lowdb/index.ts'
import { encode, scan } from '../../stores/lowdb/journal/record-format.ts'
import { readLastPosition } from '../../stores/lowdb/lock.ts'
import { pollUntil } from '../harness/poll.ts'
import { contents, failure, lowdb, newFolder, openIn, silent, takeSnapshot } from '../harness/store-folders.ts'

const test = suite('damaged files of the embedded store')

/** Creates a store with these centers, each in a record of its own; calls `work` with its folder. */
async function withCenters(names: string[], work: (path: string, journal: string) => Promise<void>): Promise<void> {
  const path = await newFolder()
  const { store } = await openIn(path)
  for (const name of names) await store.centers.add({ name, comment: '' })
  await store.close()
  await work(path, join(path, 'journal.0')).finally(() => rm(path, { recursive: true }))
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

const linesOf = (bytes: Buffer) => bytes.toString('latin1').split(/(?<=\n)/)

/** Expects that the store is not opened, with one line that names file, byte and remedy, and that no file changes. */
async function assertRefused(path: string, file: string, problem: string): Promise<void> {
  const before = await contents(path)
  const reason = await failure(centersIn(path))
  assert.is(reason, `store: ${file} ${problem}; \`npm run store -- repair\` recovers what it can`)
  assert.equal(await contents(path), before)
  const findings = await check({ adapter: 'lowdb', path })
  assert.ok(findings.some(({ ok, message }) => !ok && message.includes(file)))
}

test('the beginning of a record, as a crash leaves it, is removed with a log line, and the next write replaces it', () =>
  withCenters(['one', 'two'], async (path, journal) => {
    const intact = await readFile(journal)
    const { record } = encode('[["centers",{"id":3,"name":"three","comment":""}]]', scan(intact, () => {}).sum)
    for (let length = 1; length < record.length; length += 4) {
      await writeFile(journal, Buffer.concat([intact, record.subarray(0, length)]))
      const lines: string[] = []
      const log = { info() {}, warn: (where: string, text: string) => void lines.push(`${where}: ${text}`) }
      assert.equal(await centersIn(path, log), ['one', 'two'])
      assert.equal(lines, [
        `store: ${journal}: removed an incomplete record of ${length} bytes at byte ${intact.length}`,
      ])
      assert.equal(await readFile(journal), intact)
    }
    await writeFile(journal, Buffer.concat([intact, record.subarray(0, 30)]))
    const store = await open({ adapter: 'lowdb', path }, silent)
    await store.centers.add({ name: 'another', comment: '' })
    await store.close()
    assert.equal(await centersIn(path), ['one', 'two', 'another'])
  }))

test('a change of any byte of the journal is refused', () =>
  withCenters(['one', 'two', 'three'], async (path, journal) => {
    const intact = await readFile(journal)
    for (let at = 0; at < intact.length; at += 11) {
      await writeFile(journal, intact)
      await change(journal, at)
      const begin = intact.lastIndexOf('\n', at - 1) + 1
      await assertRefused(path, journal, `is damaged at byte ${at === 0 ? 0 : begin}`)
    }
  }))

test('NULs at the end of the journal are refused, and repair keeps them in the folder of old files', () =>
  withCenters(['one', 'two', 'three'], async (path, journal) => {
    const intact = await readFile(journal)
    const second = linesOf(intact).slice(0, 2).join('').length
    const damaged = Buffer.from(intact).fill(0, second + 20)
    await writeFile(journal, damaged)
    await assertRefused(path, journal, `is damaged at byte ${second}`)
    const findings = await repair({ adapter: 'lowdb', path })
    assert.is(findings.at(-1)?.message, `lost: ${intact.length - second} bytes of journal.0 from byte ${second} on`)
    assert.equal(await centersIn(path), ['one'])
    assert.equal(await readFile(join(path, 'before-repair.1', 'journal.0')), damaged)
  }))

test('a journal that is shorter than what was acknowledged is refused, also at the end of a record', () =>
  withCenters(['one', 'two', 'three'], async (path, journal) => {
    const intact = await readFile(journal)
    const lengths = [0, ...linesOf(intact).map((_, at, lines) => lines.slice(0, at).join('').length), intact.length - 1]
    for (const length of lengths) {
      await truncate(journal, length)
      const { size } = scan(intact.subarray(0, length), () => {})
      await assertRefused(path, journal, `ends too early at byte ${size}`)
      await writeFile(journal, intact)
    }
    assert.equal(await centersIn(path), ['one', 'two', 'three'])
    await rm(journal)
    await writeFile(join(path, 'snapshot.1.tmp'), '')
    assert.match(await failure(centersIn(path)), `${journal} is missing at byte 0;`)
  }))

test('a journal that is shorter than what a killed process acknowledged is refused', async () => {
  const path = await newFolder()
  const program = `const { default: open } = await import('${lowdb}')
    const store = await open({ adapter: 'lowdb', path: '${path}' }, console)
    for (const name of ['one', 'two', 'three']) await store.centers.add({ name, comment: '' })
    process.stdin.resume()`
  const writer = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program])
  const journal = join(path, 'journal.0')
  // The lock contains the size of the journal soon after the write.
  await pollUntil(async () => {
    const text = await readFile(journal, 'latin1').catch(() => '')
    return text.includes('three') && (await readLastPosition(path))?.size === text.length
  })
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  const lines = linesOf(await readFile(journal))
  const size = lines.slice(0, 2).join('').length
  for (const length of [size, size + 30]) {
    await truncate(journal, length)
    await assertRefused(path, journal, `ends too early at byte ${size}`)
    await writeFile(journal, lines.join(''), 'latin1')
  }
  assert.equal(await centersIn(path), ['one', 'two', 'three'])
  await rm(path, { recursive: true })
})

test('an emptied journal is refused when only its snapshot shows that it has been longer', () =>
  withCenters(['one'], async path => {
    await takeSnapshot(path)
    const journal = join(path, 'journal.1')
    await rm(join(path, 'lock'))
    await truncate(journal)
    await assertRefused(path, journal, 'ends too early at byte 0')
    await repair({ adapter: 'lowdb', path })
    assert.equal(await centersIn(path), ['one'])
  }))

test('swapped, missing and repeated records are refused', () =>
  withCenters(['one', 'two', 'three'], async (path, journal) => {
    await rm(join(path, 'lock'))
    const [header = '', one = '', two = '', three = ''] = linesOf(await readFile(journal))
    const variants = { swapped: [header, two, one, three], missing: [header, two, three], repeated: [header, one, one] }
    for (const [name, lines] of Object.entries(variants)) {
      await writeFile(journal, lines.join(''), 'latin1')
      const at = name === 'repeated' ? header.length + one.length : header.length
      await assertRefused(path, journal, `is damaged at byte ${at}`)
    }
  }))

test('journals under a wrong name, and journals that do not follow each other, are refused', () =>
  withCenters(['one'], async path => {
    await takeSnapshot(path)
    const add = async (name: string) => {
      const { store } = await openIn(path)
      await store.centers.add({ name, comment: '' })
      await store.close()
    }
    await add('two')
    const [first, second] = [join(path, 'journal.1'), join(path, 'journal.2')]
    const short = await readFile(first)
    await add('three')
    await takeSnapshot(path)
    await rm(join(path, 'snapshot.2'))
    assert.equal(await centersIn(path), ['one', 'two', 'three'])
    const long = await readFile(first)
    await writeFile(first, short)
    await assertRefused(path, first, `ends too early at byte ${short.length}`)
    await cp(second, first)
    await assertRefused(path, first, 'is damaged at byte 0')
    await writeFile(first, long)
    assert.equal(await centersIn(path), ['one', 'two', 'three'])
  }))

test('damage of any byte of a snapshot is refused, and so is a missing or truncated file', () =>
  withCenters(['one', 'two', 'three'], async path => {
    await takeSnapshot(path)
    const [snapshot, journal] = [join(path, 'snapshot.1'), join(path, 'journal.1')]
    const intact = await readFile(snapshot)
    for (let at = 0; at < intact.length; at += 4) {
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
    assert.match(await failure(centersIn(path)), `${basename(journal)} is missing`)
    assert.equal(await centersIn(copy), ['one', 'two', 'three'])
    await rm(copy, { recursive: true })
  }))

test.run()

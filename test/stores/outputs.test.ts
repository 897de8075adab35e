// The files with the outputs of jobs in the folder of the embedded store: damage and deletion.

import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open, { check } from '../../stores/lowdb/index.ts'
import type { Store } from '../../stores/store.ts'
import { entriesOf, toStream } from '../conformance/fill.ts'
import { job, parts, success, upTo } from '../conformance/work-samples.ts'
import { failure, newFolder, openIn, silent } from '../harness/store-folders.ts'

const test = suite('outputs of the embedded store')

const all = { limit: 1000 }
const text = (number: number) => `line ${number} of an output that lies in a file\n`.repeat(20)

const outputsIn = async (store: Store, id: number) => (await store.jobs.parts(id, all)).map(({ output }) => output)

const outputFilesIn = async (path: string) => (await readdir(path)).filter(name => name.startsWith('outputs.'))

/** A folder with one job of `count` parts with outputs. */
async function folderWith(count: number): Promise<string> {
  const path = await newFolder()
  const { store } = await openIn(path)
  const id = await store.jobs.add(job(), parts(count))
  await store.jobs.update(upTo(count).map(index => success(id, index, text(index))))
  await store.close()
  return path
}

test('any damaged byte of an output drops this output with a log line, and never shows another text', async () => {
  const path = await folderWith(3)
  const file = join(path, 'outputs.1')
  const intact = await readFile(file)
  const texts = upTo(3).map(text)
  const lines: string[] = []
  const store = await open({ adapter: 'lowdb', path }, { info() {}, warn: (_, line) => void lines.push(line) })
  for (let at = 0; at < intact.length; at += 5) {
    const bytes = Buffer.from(intact)
    bytes[at] = (bytes[at] ?? 0) ^ 0x15
    await writeFile(file, bytes)
    const damaged = Math.floor((at / intact.length) * 3)
    const read = await store.jobs.parts(1, all)
    assert.equal(
      read.map(({ output }) => output),
      texts.with(damaged, ''),
      `byte ${at}`,
    )
    assert.is(read[damaged]?.output_dropped, true)
    assert.match(lines.pop() ?? '', `expected the output of job 1, part ${damaged} at byte`)
    assert.is(lines.length, 0)
  }
  await store.close()
  await rm(path, { recursive: true })
})

test('outputs that are missing at the end, and files that are missing, count as dropped', async () => {
  const path = await folderWith(3)
  const file = join(path, 'outputs.1')
  const { size } = await stat(file)
  await truncate(file, size - 1)
  const opened = await openIn(path)
  assert.equal(await outputsIn(opened.store, 1), [text(0), text(1), ''])
  await opened.store.jobs.update([success(1, 0, text(7))])
  assert.equal(await outputsIn(await opened.reopen(), 1), [text(7), text(1), ''])
  await rm(file)
  const read = await (await opened.reopen()).jobs.parts(1, all)
  assert.equal(
    read.map(({ output, output_dropped }) => [output, output_dropped]),
    upTo(3).map(() => ['', true]),
  )
  await opened.remove()
})

test('a check finds damaged outputs, and none in intact files', async () => {
  const path = await folderWith(300)
  const bad = async () => (await check({ adapter: 'lowdb', path })).filter(({ ok }) => !ok)
  assert.equal(await bad(), [])
  const bytes = await readFile(join(path, 'outputs.1'))
  bytes[bytes.length - 1] = 0
  await writeFile(join(path, 'outputs.1'), bytes)
  const [finding, ...more] = await bad()
  assert.match(finding?.message ?? '', 'outputs.1: expected the output of job 1, part 299 at byte')
  assert.equal(more, [])
  await rm(path, { recursive: true })
})

test('the files never exceed the limit by more than one write, and go when their jobs are deleted', async () => {
  const limit = 200_000
  const opened = await openIn(await newFolder(), {}, silent, { outputs_bytes: limit })
  const { store, options } = opened
  const bytes = async () => {
    const sizes = (await outputFilesIn(options.path)).map(name =>
      stat(join(options.path, name)).catch(() => ({ size: 0 })),
    )
    return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
  }
  for (const round of upTo(20)) {
    const id = await store.jobs.add(job(), parts(40))
    await store.jobs.update(upTo(40).map(index => success(id, index, text(round))))
    assert.ok((await bytes()) < limit + 41 * text(0).length)
  }
  await store.jobs.trim({ before: 0, keep: 0 })
  await store.jobs.add(job(), [])
  const again = await opened.reopen()
  await again.jobs.add(job(), [])
  assert.ok((await bytes()) <= limit / 16 + text(0).length)
  assert.is((await outputFilesIn(options.path)).length, 1)
  await opened.remove()
})

test('a store that is open for reading only reads outputs of the running store', async () => {
  const path = await folderWith(3)
  const opened = await openIn(path)
  const reader = await open({ adapter: 'lowdb', path, readonly: true }, silent)
  assert.equal(await outputsIn(reader, 1), upTo(3).map(text))
  const entries = await entriesOf(reader)
  assert.match(await failure(reader.backup.load(toStream(entries))), 'open for reading only')
  assert.equal(await outputsIn(reader, 1), upTo(3).map(text))
  await reader.close()
  await opened.remove()
})

test.run()

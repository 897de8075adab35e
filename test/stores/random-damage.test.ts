// Files that were damaged at random: a start gives all acknowledged writes or is refused, never anything else.

import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open from '../../stores/lowdb/index.ts'
import { DamagedError } from '../../stores/lowdb/journal/recovery.ts'
import { everything, fill } from '../conformance/fill.ts'
import { addCenter, addRoom, computer } from '../conformance/samples.ts'
import { roundsOf } from '../harness/rounds.ts'
import { newFolder, openIn, silent, takeSnapshot } from '../harness/store-folders.ts'
import { random } from '../tools/bench/postgres/store-fleet.ts'

/** A number from 0 to less than 1. */
type Random = () => number

type Files = ReadonlyMap<string, Buffer>

/** A store whose files are damaged again and again. */
interface DamagedStores {
  /** Damages a file, opens the store, and restores the files. The start must give all data or be refused. */
  tryVariant(random: Random): Promise<Outcome>
  remove(): Promise<void>
}

interface Outcome {
  /** What was damaged, and how. */
  variant: string
  result: 'all data' | 'refused' | 'other data'
  /** The reason of a refusal. */
  reason: string
}

/**
 * A folder with two generations, of which the last journal has 200 acknowledged writes. Without the newest snapshot a
 * start reads two journals.
 */
async function openDamagedStores(hasNewestSnapshot: boolean): Promise<DamagedStores> {
  const path = await newFolder()
  for (const name of ['first', 'second']) {
    const { store } = await openIn(path)
    await fill(store, name)
    await store.close()
    await takeSnapshot(path)
  }
  const { store } = await openIn(path)
  const room = await addRoom(store, await addCenter(store, 'third'))
  for (let at = 0; at < 200; at += 1) await store.computers.add([computer(room, `third.${at}`)])
  const expected = JSON.stringify(await everything(store))
  await store.close()
  if (!hasNewestSnapshot) await rm(join(path, 'snapshot.2'))
  const files = await readFiles(path)

  async function start(): Promise<Pick<Outcome, 'result' | 'reason'>> {
    try {
      const store = await open({ adapter: 'lowdb', path }, silent)
      const data = JSON.stringify(await everything(store))
      await store.close()
      return { result: data === expected ? 'all data' : 'other data', reason: '' }
    } catch (error) {
      if (error instanceof DamagedError) return { result: 'refused', reason: error.message }
      throw error
    }
  }

  return {
    async tryVariant(random) {
      const names = [...files.keys()]
      const name = pick(names, random)
      const { kind, bytes } = damage(files, name, random)
      await writeFile(join(path, name), bytes)
      const outcome = await start()
      for (const other of (await readdir(path)).filter(each => !files.has(each))) await rm(join(path, other))
      for (const [name, bytes] of files) await writeFile(join(path, name), bytes)
      return { variant: `${name}: ${kind}`, ...outcome }
    },
    remove: () => rm(path, { recursive: true }),
  }
}

async function readFiles(path: string): Promise<Files> {
  const names = (await readdir(path)).sort()
  return new Map(await Promise.all(names.map(async name => [name, await readFile(join(path, name))] as const)))
}

function pick<Value>(list: readonly Value[], random: Random): Value {
  const value = list[Math.floor(random() * list.length)]
  if (value === undefined) throw new Error('pick: expected a list with values, got an empty one')
  return value
}

function damage(files: Files, name: string, random: Random) {
  const bytes = files.get(name) ?? Buffer.alloc(0)
  const kind = pick(Object.keys(kinds), random)
  return { kind, bytes: kinds[kind]?.(Buffer.from(bytes), random, files) ?? bytes }
}

const position = (bytes: Buffer, random: Random) => Math.floor(random() * bytes.length)

const linesOf = (bytes: Buffer) => bytes.toString('latin1').split(/(?<=\n)/)
const fromLines = (lines: readonly string[]) => Buffer.from(lines.join(''), 'latin1')

/** Applies a change to the list of a file's records, at one of them. */
const onRecords =
  (change: (lines: string[], at: number, random: Random) => void) => (bytes: Buffer, random: Random) => {
    const lines = linesOf(bytes)
    change(lines, Math.floor(random() * lines.length), random)
    return fromLines(lines)
  }

const kinds: Record<string, (bytes: Buffer, random: Random, files: Files) => Buffer> = {
  'one bit'(bytes, random) {
    const at = position(bytes, random)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    return bytes
  },
  'some bytes'(bytes, random) {
    for (let count = 0; count < 8; count += 1) bytes[position(bytes, random)] = Math.floor(random() * 256)
    return bytes
  },
  'a digit of a length'(bytes, random) {
    const lines = linesOf(bytes)
    const at = Math.floor(random() * lines.length)
    lines[at] = (lines[at] ?? '').replace(/ \d/, ` ${1 + Math.floor(random() * 9)}`)
    return fromLines(lines)
  },
  cut: (bytes, random) => bytes.subarray(0, position(bytes, random)),
  'cut between records': onRecords((lines, at) => void lines.splice(at)),
  emptied: () => Buffer.alloc(0),
  'NULs in the middle': (bytes, random) => bytes.fill(0, position(bytes, random), position(bytes, random)),
  'NULs up to the end': (bytes, random) => bytes.fill(0, position(bytes, random)),
  'NULs after the end': bytes => Buffer.concat([bytes, Buffer.alloc(4096)]),
  'two records swapped': onRecords((lines, at, random) => {
    const other = Math.floor(random() * lines.length)
    const [a, b] = [lines[at] ?? '', lines[other] ?? '']
    lines.splice(at, 1, b)
    lines.splice(other, 1, a)
  }),
  'a record repeated': onRecords((lines, at) => void lines.splice(at, 0, lines[at] ?? '')),
  'a record repeated at the end': onRecords((lines, at) => void lines.push(lines[at] ?? '')),
  'a record missing': onRecords((lines, at) => void lines.splice(at, 1)),
  'the beginning of a record at the end': (bytes, random) =>
    Buffer.concat([bytes, bytes.subarray(0, 1 + Math.floor(random() * 12))]),
  'another file': (_, random, files) => Buffer.from(pick([...files.values()], random)),
}

/** Variants of each folder. */
const variants = roundsOf(75)

const test = suite('randomly damaged files of the embedded store')

for (const hasNewestSnapshot of [true, false]) {
  const files = hasNewestSnapshot ? 'with all snapshots' : 'without the newest snapshot'
  test(`damaged variants of a folder ${files} give all data or a refusal that names file and byte`, async () => {
    const refused = await Promise.all([1, 2].map(seed => countRefused(hasNewestSnapshot, seed)))
    for (const count of refused) assert.ok(count > variants / 4, `${count} variants were refused`)
  })
}

async function countRefused(hasNewestSnapshot: boolean, seed: number): Promise<number> {
  const stores = await openDamagedStores(hasNewestSnapshot)
  const next = random(seed)
  let refused = 0
  for (let count = 1; count <= variants; count += 1) {
    const { variant, result, reason } = await stores.tryVariant(next)
    assert.is.not(result, 'other data', `seed ${seed}, variant ${count}: ${variant}`)
    if (result !== 'refused') continue
    refused += 1
    assert.match(reason, /^store: \S+ (is damaged|ends too early|is missing) at byte \d+; .*$/)
  }
  await stores.remove()
  return refused
}

test.run()

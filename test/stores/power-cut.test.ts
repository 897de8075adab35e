// Power failures at every moment: acknowledged writes of the embedded store are complete after each of them.

import fs from 'node:fs'
import { type FileHandle, mkdir, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open from '../../stores/lowdb/index.ts'
import { recordedTypes, shows, takeStep } from '../conformance/crash-work.ts'
import { addLab } from '../conformance/samples.ts'
import { newFolder, openIn, silent } from '../harness/store-folders.ts'

export const runs = { seconds: 23 }

type Step =
  | { kind: 'write'; file: object; at: number; bytes: Buffer }
  | { kind: 'truncate'; file: object; at: number }
  | { kind: 'sync'; file: object }
  | { kind: 'name'; name: string; file: object | undefined }
  | { kind: 'syncNames' }

/** The share of an operation that reaches the disk although it was not synced, 0 to 1; called once per operation. */
type UnsyncedShare = () => number

type Disk = ReturnType<typeof record>

/** Records the operations of `node:fs/promises` on the data files in `folder`, until it is stopped. */
function record(folder: string) {
  const steps: Step[] = []
  const real = { ...fs.promises }
  Object.assign(fs.promises, createRecorders(folder, steps, real))
  syncBuiltinESMExports()
  return {
    steps,
    stop() {
      Object.assign(fs.promises, real)
      syncBuiltinESMExports()
    },
    /** Writes to `path` the files after a power failure that follows the first `count` steps. */
    async restore(count: number, path: string, unsyncedShare: UnsyncedShare): Promise<void> {
      await mkdir(path)
      for (const [name, bytes] of replay(steps.slice(0, count), unsyncedShare)) await writeFile(join(path, name), bytes)
    },
  }
}

/** Replacements for the functions that open, rename and remove files. */
function createRecorders(folder: string, steps: Step[], real: typeof fs.promises) {
  const files = new Map<string, object>()
  const isDataFile = (path: unknown): path is string =>
    typeof path === 'string' && dirname(path) === folder && /\.\d+(\.tmp)?$/.test(path)

  const open: typeof real.open = async (path, flags, mode) => {
    const handle = await real.open(path, flags, mode)
    if (path === folder) return observe(handle, { sync: () => steps.push({ kind: 'syncNames' }) })
    if (!isDataFile(path)) return handle
    const file = files.get(path) ?? {}
    if (!files.has(path)) steps.push({ kind: 'name', name: basename(path), file })
    files.set(path, file)
    if (flags === 'w') steps.push({ kind: 'truncate', file, at: 0 })
    const syncsWrites = typeof flags === 'number' && (flags & fs.constants.O_DSYNC) !== 0
    return observeFile(steps, handle, { file, size: flags === 'w' ? 0 : (await handle.stat()).size, syncsWrites })
  }

  const rename: typeof real.rename = async (from, to) => {
    await real.rename(from, to)
    if (!isDataFile(from) || !isDataFile(to)) return
    const file = files.get(from)
    if (file) files.set(to, file)
    files.delete(from)
    steps.push({ kind: 'name', name: basename(to), file }, { kind: 'name', name: basename(from), file: undefined })
  }

  const rm: typeof real.rm = async (path, options) => {
    await real.rm(path, options)
    if (!isDataFile(path) || !files.delete(path)) return
    steps.push({ kind: 'name', name: basename(path), file: undefined })
  }

  return { open, rename, rm }
}

interface OpenedFile {
  file: object
  size: number
  syncsWrites: boolean
}

function observeFile(steps: Step[], handle: FileHandle, { file, size, syncsWrites }: OpenedFile): FileHandle {
  let end = size
  const sync = () => steps.push({ kind: 'sync', file })
  return observe(handle, {
    write(bytes: Buffer, from: number, length: number, at: number) {
      steps.push({ kind: 'write', file, at, bytes: Buffer.from(bytes.subarray(from, from + length)) })
      if (syncsWrites) sync()
    },
    appendFile(bytes: Buffer) {
      steps.push({ kind: 'write', file, at: end, bytes: Buffer.from(bytes) })
      end += bytes.length
    },
    truncate: (at = 0) => steps.push({ kind: 'truncate', file, at }),
    sync,
    datasync: sync,
  })
}

/** A handle that calls the listener of a method when the method has finished. */
function observe(handle: FileHandle, listeners: Record<string, (...args: never[]) => unknown>): FileHandle {
  return new Proxy(handle, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      const listener = typeof key === 'string' ? listeners[key] : undefined
      // Not before: an fsync that had not finished at the power failure guarantees nothing.
      return async (...args: unknown[]) => {
        const result = await Reflect.apply(value, target, args)
        if (listener) Reflect.apply(listener, undefined, args)
        return result
      }
    },
  })
}

function replay(steps: Step[], unsyncedShare: UnsyncedShare): Map<string, Buffer> {
  const { syncedAt, namesSyncedAt } = lastSyncs(steps)
  const names = new Map<string, object>()
  const bytes = new Map<object, Buffer>()
  // A journaling file system keeps the sequence of name changes: after the first lost change all others are lost.
  let keepsNames = true
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'name') {
      keepsNames &&= at < namesSyncedAt || unsyncedShare() > 0.5
      if (!keepsNames) continue
      if (step.file) names.set(step.name, step.file)
      else names.delete(step.name)
    }
    if (step.kind !== 'write' && step.kind !== 'truncate') continue
    const share = at < (syncedAt.get(step.file) ?? -1) ? 1 : unsyncedShare()
    if (share === 0) continue
    const before = bytes.get(step.file) ?? Buffer.alloc(0)
    if (step.kind === 'truncate') bytes.set(step.file, before.subarray(0, step.at))
    else bytes.set(step.file, overwrite(before, step.at, step.bytes.subarray(0, Math.ceil(share * step.bytes.length))))
  }
  return new Map([...names].map(([name, file]) => [name, bytes.get(file) ?? Buffer.alloc(0)]))
}

/** The last step that synced each file, and the last one that synced the names. */
function lastSyncs(steps: Step[]) {
  const syncedAt = new Map<object, number>()
  let namesSyncedAt = -1
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'sync') syncedAt.set(step.file, at)
    if (step.kind === 'syncNames') namesSyncedAt = at
  }
  return { syncedAt, namesSyncedAt }
}

function overwrite(before: Buffer, at: number, bytes: Buffer): Buffer {
  const after = Buffer.alloc(Math.max(before.length, at + bytes.length))
  before.copy(after)
  bytes.copy(after, at)
  return after
}

const test = suite('power failures and the embedded store')

/** Enough for all outputs, in several files. */
const limits = { outputs_bytes: 200_000 }

const writers = [0, 1, 2]
const stepsEach = 18
/** Snapshots are taken in the background: on a busy machine writers do more steps until there are two. */
const maxSteps = 10 * stepsEach
const snapshotsOf = ({ steps }: Disk) =>
  steps.filter(step => step.kind === 'name' && step.file && /^snapshot\.\d+$/.test(step.name)).length

test('a power failure at any moment loses no acknowledged write, and no write is stored partially', async () => {
  const folder = await newFolder()
  const disk = record(folder)
  const acknowledged = await write(folder, disk).finally(disk.stop)
  assert.ok(snapshotsOf(disk) > 1, 'snapshots were taken')
  const rest = await newFolder()
  for (let count = acknowledged[0]?.at ?? 0; count <= disk.steps.length; count += 1) {
    // All, nothing, or a random share of the unsynced writes reaches the disk.
    for (const unsyncedShare of [() => 1, () => 0, Math.random]) {
      const path = join(rest, 'data')
      await disk.restore(count, path, unsyncedShare)
      const store = await open({ adapter: 'lowdb', path }, silent)
      for (const writer of writers) {
        const done = acknowledged.filter(step => step.writer === writer && step.at <= count).length
        const matches = [done, done + 1].map(steps => shows(store, writer, steps))
        assert.ok((await Promise.all(matches)).includes(true), `writer ${writer} after ${count} steps of the disk`)
      }
      await store.close()
      await rm(path, { recursive: true })
    }
  }
  for (const path of [folder, rest]) await rm(path, { recursive: true })
})

/** `at`: the number of disk operations before the acknowledgement. */
async function write(folder: string, disk: Disk): Promise<{ writer: number; at: number }[]> {
  const { store } = await openIn(folder, { journal_bytes: 1_500 }, silent, limits)
  await addLab(store)
  store.storedEvents.record(recordedTypes)
  const acknowledged = [{ writer: -1, at: disk.steps.length }]
  await Promise.all(
    writers.map(async writer => {
      for (let step = 0; step < stepsEach || (snapshotsOf(disk) < 2 && step < maxSteps); step += 1) {
        await takeStep(store, writer, step)
        acknowledged.push({ writer, at: disk.steps.length })
      }
    }),
  )
  await store.close()
  return acknowledged
}

test.run()

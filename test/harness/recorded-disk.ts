// A record of what was done to files, from which the disk after a power cut at any moment can be made.
import fs from 'node:fs'
import { type FileHandle, mkdir, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'

type Step =
  | { kind: 'write'; file: object; at: number; bytes: Buffer }
  | { kind: 'cut'; file: object; at: number }
  | { kind: 'sync'; file: object }
  | { kind: 'name'; name: string; file: object | undefined }
  | { kind: 'syncNames' }

export interface Disk {
  /** What was done so far. */
  steps: Step[]
  stop(): void
  /** Writes to `path` what a cut after `count` steps leaves: what was synced, and of each other step the share `kept`. */
  after(count: number, path: string, kept: () => number): Promise<void>
}

/** Records what is done to the data files in `folder` through `node:fs/promises`, until stopped. */
export function record(folder: string): Disk {
  const steps: Step[] = []
  const files = new Map<string, object>()
  const real = { ...fs.promises }
  const inside = (path: unknown): path is string =>
    typeof path === 'string' && dirname(path) === folder && /\.\d+(\.tmp)?$/.test(path)

  const open: typeof real.open = async (path, flags, mode) => {
    const handle = await real.open(path, flags, mode)
    if (path === folder) return spy(handle, { sync: () => steps.push({ kind: 'syncNames' }) })
    if (!inside(path)) return handle
    const file = files.get(path) ?? {}
    if (!files.has(path)) steps.push({ kind: 'name', name: basename(path), file })
    files.set(path, file)
    if (flags === 'w') steps.push({ kind: 'cut', file, at: 0 })
    const syncsWrites = typeof flags === 'number' && (flags & fs.constants.O_DSYNC) !== 0
    return spyOnFile(handle, file, flags === 'w' ? 0 : (await handle.stat()).size, syncsWrites)
  }

  function spyOnFile(handle: FileHandle, file: object, size: number, syncsWrites: boolean): FileHandle {
    let end = size
    const sync = () => steps.push({ kind: 'sync', file })
    return spy(handle, {
      write(bytes: Buffer, from: number, length: number, at: number) {
        steps.push({ kind: 'write', file, at, bytes: Buffer.from(bytes.subarray(from, from + length)) })
        if (syncsWrites) sync()
      },
      appendFile(bytes: Buffer) {
        steps.push({ kind: 'write', file, at: end, bytes: Buffer.from(bytes) })
        end += bytes.length
      },
      truncate: (at = 0) => steps.push({ kind: 'cut', file, at }),
      sync,
      datasync: sync,
    })
  }

  const rename: typeof real.rename = async (from, to) => {
    await real.rename(from, to)
    if (!inside(from) || !inside(to)) return
    const file = files.get(from)
    if (file) files.set(to, file)
    files.delete(from)
    steps.push({ kind: 'name', name: basename(to), file }, { kind: 'name', name: basename(from), file: undefined })
  }

  const rm: typeof real.rm = async (path, options) => {
    await real.rm(path, options)
    if (!inside(path) || !files.delete(path)) return
    steps.push({ kind: 'name', name: basename(path), file: undefined })
  }

  Object.assign(fs.promises, { open, rename, rm })
  syncBuiltinESMExports()
  return {
    steps,
    stop() {
      Object.assign(fs.promises, real)
      syncBuiltinESMExports()
    },
    async after(count, path, kept) {
      await mkdir(path)
      for (const [name, bytes] of replay(steps.slice(0, count), kept)) await writeFile(join(path, name), bytes)
    },
  }
}

/** A handle whose named methods are told of before they are done. */
function spy(handle: FileHandle, told: Record<string, (...given: never[]) => unknown>): FileHandle {
  return new Proxy(handle, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      const tell = typeof key === 'string' ? told[key] : undefined
      // Told when it is done: an fsync that was still going on when the power went promises nothing.
      return async (...given: unknown[]) => {
        const result = await Reflect.apply(value, target, given)
        if (tell) Reflect.apply(tell, undefined, given)
        return result
      }
    },
  })
}

function replay(steps: Step[], kept: () => number): Map<string, Buffer> {
  const syncedAt = new Map<object, number>()
  let namesSyncedAt = -1
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'sync') syncedAt.set(step.file, at)
    if (step.kind === 'syncNames') namesSyncedAt = at
  }
  const names = new Map<string, object>()
  const bytes = new Map<object, Buffer>()
  // A journaling file system keeps the order of names: what is kept of them is a beginning.
  let namesKept = true
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'name') {
      namesKept &&= at < namesSyncedAt || kept() > 0.5
      if (!namesKept) continue
      if (step.file) names.set(step.name, step.file)
      else names.delete(step.name)
    }
    if (step.kind !== 'write' && step.kind !== 'cut') continue
    const share = at < (syncedAt.get(step.file) ?? -1) ? 1 : kept()
    if (share === 0) continue
    const before = bytes.get(step.file) ?? Buffer.alloc(0)
    if (step.kind === 'cut') bytes.set(step.file, before.subarray(0, step.at))
    else bytes.set(step.file, overwrite(before, step.at, step.bytes.subarray(0, Math.ceil(share * step.bytes.length))))
  }
  return new Map([...names].map(([name, file]) => [name, bytes.get(file) ?? Buffer.alloc(0)]))
}

function overwrite(before: Buffer, at: number, bytes: Buffer): Buffer {
  const after = Buffer.alloc(Math.max(before.length, at + bytes.length))
  before.copy(after)
  bytes.copy(after, at)
  return after
}

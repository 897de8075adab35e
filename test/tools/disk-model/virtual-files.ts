// What stands for Node's functions for files: they work on a virtual disk, and end when its completions say so.
import fs from 'node:fs'
import { dirname } from 'node:path'
import type { Completions } from './completions.ts'
import type { Inode, VirtualDisk } from './virtual-disk.ts'

export interface FileSystem {
  disk: VirtualDisk
  completions: Completions
  /** The code of an error with which this operation fails; of a write some bytes are then written. */
  failure(operation: string): string | undefined
}

const { O_CREAT, O_DSYNC, O_TRUNC, O_EXCL } = fs.constants
const flagsOf: Record<string, number> = { r: 0, 'r+': 0, w: O_CREAT | O_TRUNC, wx: O_CREAT | O_EXCL }

const errorOf = (code: string, operation: string) => Object.assign(new Error(`${code}: ${operation}`), { code })

function find({ disk }: FileSystem, path: string, operation: string): Inode {
  const inode = disk.names.get(path)
  if (!inode) throw errorOf('ENOENT', `${operation} '${path}'`)
  return inode
}

const hasName = ({ disk }: FileSystem, path: string) => disk.names.has(path)

function openInode(system: FileSystem, path: string, flags: number): Inode {
  const { disk } = system
  const isThere = hasName(system, path)
  if (isThere && flags & O_EXCL) throw errorOf('EEXIST', `open '${path}'`)
  if (!isThere && flags & O_CREAT) {
    find(system, dirname(path), 'open')
    disk.setNames([path, { bytes: Buffer.alloc(0) }])
  }
  const inode = find(system, path, 'open')
  if (flags & O_TRUNC && isThere) disk.truncate(inode, 0)
  return inode
}

function rename(system: FileSystem, from: string, to: string): void {
  system.disk.setNames([to, find(system, from, 'rename')], [from, undefined])
}

function remove(system: FileSystem, path: string, force = false): void {
  if (!force) find(system, path, 'rm')
  if (hasName(system, path)) system.disk.setNames([path, undefined])
}

/** Returns its path when it was not there; the folder above is. */
function makeFolder(system: FileSystem, path: string): string | undefined {
  if (hasName(system, path)) return undefined
  system.disk.setNames([path, { bytes: undefined }])
  return path
}

const statsOf = (inode: Inode) => ({
  size: inode.bytes?.length ?? 0,
  mode: 0o600,
  uid: 0,
  gid: 0,
  isFile: () => inode.bytes !== undefined,
  isDirectory: () => inode.bytes === undefined,
})

interface Force {
  force?: boolean
}

type Run = ReturnType<typeof createRun>

function createRun({ completions, failure }: FileSystem) {
  /** Does the work at once; its end is told later, and `ended` is called then. Where it fails, `failed` is done instead. */
  return async <Result>(
    operation: string,
    work: () => Result,
    ended = (_: Result) => {},
    failed = () => {},
  ): Promise<Result> => {
    const code = failure(operation)
    if (code !== undefined) {
      failed()
      await completions.wait()
      throw errorOf(code, operation)
    }
    const result = work()
    await completions.wait()
    ended(result)
    return result
  }
}

/** In the place of `node:fs/promises`. */
export function createPromises(system: FileSystem) {
  const run = createRun(system)
  return {
    open: (path: string, flags: string | number) =>
      run('open', () => {
        const bits = typeof flags === 'number' ? flags : (flagsOf[flags] ?? 0)
        return createHandle(system, run, path, { inode: openInode(system, path, bits), bits })
      }),
    readFile: (path: string, encoding?: BufferEncoding) =>
      run('readFile', () => {
        const bytes = Buffer.from(find(system, path, 'open').bytes ?? [])
        return encoding ? bytes.toString(encoding) : bytes
      }),
    readdir: (path: string) =>
      run('readdir', () =>
        [...system.disk.names.keys()]
          .filter(name => name !== path && dirname(name) === path)
          .map(name => name.slice(path.length + 1)),
      ),
    rename: (from: string, to: string) => run('rename', () => rename(system, from, to)),
    rm: (path: string, { force }: Force = {}) => run('rm', () => remove(system, path, force)),
    stat: (path: string) => run('stat', () => statsOf(find(system, path, 'stat'))),
    lstat: (path: string) => run('lstat', () => statsOf(find(system, path, 'lstat'))),
    chmod: () => run('chmod', () => {}),
    mkdir: (path: string) => run('mkdir', () => makeFolder(system, path)),
  }
}

function createHandle({ disk }: FileSystem, run: Run, path: string, opened: { inode: Inode; bits: number }) {
  const { inode, bits } = opened
  const sync = () =>
    run(
      'sync',
      () => disk.sync(path, inode),
      ended => ended(),
      () => disk.failSync(inode),
    ).then(() => {})
  return {
    fd: 0,
    write: (bytes: Buffer, from: number, length: number, at: number) =>
      run(
        'write',
        () => {
          const first = disk.steps.length
          disk.write(inode, at, bytes.subarray(from, from + length))
          return { bytesWritten: length, ended: bits & O_DSYNC ? disk.sync(path, inode, first) : () => {} }
        },
        ({ ended }) => ended(),
        () => disk.write(inode, at, bytes.subarray(from, from + Math.floor(length / 2))),
      ),
    appendFile: (bytes: Buffer) => run('write', () => disk.write(inode, inode.bytes?.length ?? 0, bytes)),
    read: (into: Buffer, at: number, length: number, position: number) =>
      run('read', () => ({
        bytesRead: inode.bytes?.subarray(position, position + length).copy(into, at) ?? 0,
        buffer: into,
      })),
    truncate: (at = 0) => run('truncate', () => disk.truncate(inode, at)),
    datasync: sync,
    sync,
    stat: () => run('stat', () => statsOf(inode)),
    close: () => run('close', () => {}),
  }
}

/** In the place of `node:fs`: each call has ended when it returns. */
export function createSynchronous(system: FileSystem) {
  const opened: { path: string; inode: Inode }[] = []
  const handleOf = (descriptor: number) => {
    const handle = opened[descriptor]
    if (!handle) throw errorOf('EBADF', 'use of a file')
    return handle
  }
  return {
    constants: fs.constants,
    openSync(path: string, flags: string) {
      return opened.push({ path, inode: openInode(system, path, flagsOf[flags] ?? 0) }) - 1
    },
    closeSync() {},
    fchownSync() {},
    chmodSync() {},
    mkdirSync: (path: string) => makeFolder(system, path),
    writeFileSync: (descriptor: number, text: string) =>
      system.disk.write(handleOf(descriptor).inode, 0, Buffer.from(text)),
    fsyncSync(descriptor: number) {
      const { path, inode } = handleOf(descriptor)
      system.disk.sync(path, inode)()
    },
    renameSync: (from: string, to: string) => rename(system, from, to),
    rmSync: (path: string, { force }: Force = {}) => remove(system, path, force),
    statSync(path: string) {
      const inode = system.disk.names.get(path)
      return inode && statsOf(inode)
    },
  }
}

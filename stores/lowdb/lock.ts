// Locks the folder with a lock of the kernel, which ends with the process that holds it, even when it is killed.
import { constants } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileMode } from './file-modes.ts'
import type { JournalPosition } from './journal/journal-file.ts'

// The package has no types.
const native: { tryLock(fd: number): boolean } = createRequire(import.meta.url)('fs-native-extensions')

const lockFile = (path: string): string => join(path, 'lock')

/** Bytes of the file, which is overwritten in one piece: a process id, a generation and a size fit. */
const fileBytes = 64

/** Milliseconds that the recorded position may be behind the journal, so that many writes cost one more. */
const recordDelay = 20

/** Up to where the journal was on disk at least; undefined when the folder was never locked by a version that records it. */
export async function readLastPosition(path: string): Promise<JournalPosition | undefined> {
  const text = await readFile(lockFile(path), 'latin1').catch(() => '')
  const [, generation, size] = /^\d* *\njournal\.(\d+) (\d+) *\n$/.exec(text) ?? []
  return generation === undefined ? undefined : { generation: Number(generation), size: Number(size) }
}

export class FolderLock {
  /** Up to where the journal was on disk at least when the lock was taken. */
  readonly lastPosition: JournalPosition | undefined
  #position: JournalPosition | undefined
  #recorded: JournalPosition | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  readonly #handle: FileHandle

  constructor(handle: FileHandle, lastPosition: JournalPosition | undefined) {
    this.#handle = handle
    this.lastPosition = lastPosition
    this.#position = lastPosition
  }

  /**
   * Records the position soon. Without an fsync: what was recorded survives the end of the process, and after a power
   * failure an older position is true as well.
   */
  record(position: JournalPosition): void {
    this.#position = position
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#writing.then(() => this.save())
    }, recordDelay).unref()
  }

  async release(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    if (this.#recorded !== this.#position) await this.save()
    await this.#handle.close()
  }

  /** Writes process id and position. Ignores errors: on a full disk the store must start without what the file contains. */
  async save(): Promise<void> {
    const position = this.#position
    const journal = position ? `journal.${position.generation} ${position.size}` : ''
    // The process id is only for the message to a second process.
    const text = `${String(process.pid).padEnd(10)}\n${journal}`.padEnd(fileBytes - 1)
    await this.#handle.write(Buffer.from(`${text}\n`), 0, fileBytes, 0).catch(() => {})
    this.#recorded = position
  }
}

/** Rejects when another process holds the lock. */
export async function lock(path: string): Promise<FolderLock> {
  const name = lockFile(path)
  const handle = await open(name, constants.O_RDWR | constants.O_CREAT, fileMode)
  if (native.tryLock(handle.fd)) {
    const folderLock = new FolderLock(handle, await readLastPosition(path))
    await folderLock.save()
    return folderLock
  }
  await handle.close()
  throw new Error(`store: ${path} is in use by ${await readOwner(path)}; stop it, or choose another path`)
}

/** The process that holds the lock; undefined when none does, or nobody has ever locked the folder. */
export async function findOwner(path: string): Promise<string | undefined> {
  const handle = await open(lockFile(path), constants.O_RDWR).catch(() => undefined)
  const isFree = handle === undefined || native.tryLock(handle.fd)
  await handle?.close()
  return isFree ? undefined : readOwner(path)
}

const readOwner = async (path: string) =>
  `process ${(await readFile(lockFile(path), 'latin1')).split('\n')[0]?.trim() || 'unknown'}`

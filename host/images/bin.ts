// The bin of the repository: files of deleted images and of failed creations, which are kept for some days.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Image } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import type { BinEntry } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { hasCode, isFull, isNotFound, noSpace } from '../system/file-system.ts'
import { daemonFile, moveFiles, pathsOf, sizeOfFiles, statsOf } from './image-folder.ts'

interface BinDeps {
  /** `keep_days` 0: what is put into the bin is deleted at once. */
  options: Pick<Options['repository'], 'directory' | 'keep_days'>
  log: Log
  clock: Clock
}

/** What the file `entry.json` of an entry's folder has. */
interface StoredEntry {
  /** The file was `<name>.img`. */
  name: string
  /** ISO time. */
  deleted: string
  reason: BinEntry['reason']
  image: Image | null
  /** The id of the image with which this older version was deleted. */
  of?: number
  /** Bytes of an interrupted creation as it was put here: unless more come, it is half an image and is deleted. */
  interrupted?: number
}

type NewEntry = Pick<StoredEntry, 'reason' | 'of'> & { image?: Image | null; mayBeHalf?: boolean }

const entryFile = 'entry.json'

const dayMilliseconds = 86_400_000
const hourMilliseconds = 3_600_000

/** An agent that goes on writing after the daemon has ended has written more by then. */
const quietMilliseconds = 600_000

export class Bin {
  readonly #deps: BinDeps
  readonly #folder: string
  #lastId = 0
  #cancelSweep: (() => void) | undefined
  #cancelQuiet: (() => void) | undefined

  constructor(deps: BinDeps) {
    this.#deps = deps
    this.#folder = daemonFile(deps.options.directory, 'bin')
  }

  /** Removes what is too old, now and every hour. */
  start(): void {
    const { clock, log } = this.#deps
    const sweep = () => {
      this.#sweep().catch(error => log.error('images', 'bin not emptied', error))
      this.#cancelSweep = clock.after(hourMilliseconds, sweep)
    }
    sweep()
    this.#cancelQuiet = clock.after(quietMilliseconds, () => {
      this.#deleteInterrupted().catch(error => log.error('images', 'interrupted creations', error))
    })
  }

  close(): void {
    this.#cancelSweep?.()
    this.#cancelQuiet?.()
  }

  /**
   * Moves all files of an image into a new entry, in this tick. Throws the system's error. One that `mayBeHalf` is
   * deleted some minutes after the start, unless it grows until then.
   */
  put(name: string, { image = null, mayBeHalf = false, ...values }: NewEntry): void {
    const { clock, options } = this.#deps
    if (options.keep_days === 0) return this.discard(name)
    const entry: StoredEntry = { name, deleted: new Date(clock.now()).toISOString(), ...values, image }
    if (mayBeHalf) entry.interrupted = sizeNow(options.directory, name)
    this.#moveOut(name, entry)
  }

  /** What a creation has left, which is deleted when the disk has no space for the bin: the older file needs its name. */
  putFailed(name: string, mayBeHalf = false): void {
    try {
      this.put(name, { reason: 'creation failed', mayBeHalf })
    } catch (error) {
      if (!isFull(error)) throw error
      const { log, options } = this.#deps
      log.warn('images', `creation of ${name}: its file is deleted, ${noSpace(options.directory)}`)
      this.discard(name)
    }
  }

  /** Deletes all files of an image. Their names are free after this tick; deleting a large file takes seconds. */
  discard(name: string): void {
    const { options, log } = this.#deps
    try {
      const folder = this.#moveOut(name)
      rm(folder, { recursive: true, force: true }).catch(error => log.warn('images', `bin: ${name}: ${message(error)}`))
    } catch {
      // A full disk has no block for a folder: which is why many creations fail.
      for (const path of pathsOf(options.directory, name)) rmSync(path, { force: true })
    }
  }

  /**
   * Returns the folder, which is gone when the image has no files. The entry is written first: wherever the daemon is
   * killed, files that have moved have one.
   */
  #moveOut(name: string, entry?: StoredEntry): string {
    const { options, clock } = this.#deps
    mkdirSync(this.#folder, { recursive: true })
    this.#lastId = Math.max(clock.now(), this.#lastId + 1)
    // Another host may share the folder.
    while (!tryMakeFolder(this.#pathOf(this.#lastId))) this.#lastId += 1
    const folder = this.#pathOf(this.#lastId)
    let moved = 0
    try {
      if (entry) writeFileSync(join(folder, entryFile), JSON.stringify(entry))
      moved = moveFiles({ folder: options.directory, name }, { folder, name })
    } finally {
      if (moved === 0) rmSync(folder, { recursive: true })
    }
    return folder
  }

  /** The newest entry first. */
  async list(): Promise<BinEntry[]> {
    const entries = (await this.#ids()).map(async id => {
      const stored = await this.find(id)
      if (!stored) return []
      const { name, deleted, reason } = stored
      const expires = new Date(Date.parse(deleted) + this.#deps.options.keep_days * dayMilliseconds).toISOString()
      return { id, name, deleted, expires, reason, size: await sizeOfFiles(this.#pathOf(id), name) }
    })
    return (await Promise.all(entries)).flat().sort((a, b) => b.id - a.id)
  }

  /** Undefined also for one whose files have not come. */
  async find(id: number): Promise<StoredEntry | undefined> {
    const folder = this.#pathOf(id)
    try {
      // `as`: only this class writes the file.
      const entry = JSON.parse(await readFile(join(folder, entryFile), 'utf8')) as StoredEntry
      return (await statsOf(folder, entry.name)) && entry
    } catch (error) {
      if (!isNotFound(error)) this.#deps.log.warn('images', `bin: entry ${id} cannot be read: ${message(error)}`)
      return undefined
    }
  }

  /** An image's own and those of the versions that were deleted with it. */
  async entriesOf(image: number): Promise<{ id: number; name: string }[]> {
    const entries = (await this.#ids()).map(async id => ({ id, ...(await this.find(id)) }))
    return (await Promise.all(entries)).flatMap(({ id, name, image: own, of }) => {
      return name !== undefined && (own?.id === image || of === image) ? { id, name } : []
    })
  }

  /** Moves the files back, under a name that no file has. */
  async takeOut(id: number, from: string, to: string): Promise<void> {
    moveFiles({ folder: this.#pathOf(id), name: from }, { folder: this.#deps.options.directory, name: to })
    await this.purge(id)
  }

  purge(id: number): Promise<void> {
    return rm(this.#pathOf(id), { recursive: true, force: true })
  }

  async #sweep(): Promise<void> {
    const { clock, log } = this.#deps
    const days = this.#deps.options.keep_days
    for (const id of await this.#ids()) {
      if (id + days * dayMilliseconds > clock.now()) continue
      const entry = await this.find(id)
      await this.purge(id)
      log.info('images', `bin: ${entry?.name ?? id} deleted, after ${days} days`)
    }
  }

  async #deleteInterrupted(): Promise<void> {
    for (const id of await this.#ids()) {
      const entry = await this.find(id)
      if (entry?.interrupted === undefined) continue
      const isHalf = (await sizeOfFiles(this.#pathOf(id), entry.name)) === entry.interrupted
      if (isHalf) await this.purge(id)
      this.#deps.log.info('images', `bin: ${entry.name} ${isHalf ? 'deleted' : 'kept'}, an interrupted creation`)
    }
  }

  #pathOf(id: number): string {
    return join(this.#folder, String(id))
  }

  /** An id is the time of its entry in epoch milliseconds. */
  async #ids(): Promise<number[]> {
    await mkdir(this.#folder, { recursive: true })
    return (await readdir(this.#folder)).filter(name => /^\d+$/.test(name)).map(Number)
  }
}

/** In this tick, after which the files have moved. */
const sizeNow = (folder: string, name: string): number =>
  pathsOf(folder, name).reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)

/** False when it exists. */
function tryMakeFolder(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

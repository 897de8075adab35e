// The bin of the repository: files of deleted images and of failed creations, which are kept for some days.
import { mkdirSync, rmdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Image } from '../../stores/store.ts'
import type { BinEntry } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { hasCode, isNotFound } from '../system/fs-errors.ts'
import { moveFiles, sizeOfFiles } from './file-names.ts'

export interface BinDeps {
  /** Of the repository. */
  directory: string
  /** Of the bin. */
  folder: string
  /** Days that an entry is kept; 0: what is put into the bin is deleted at once. */
  days: number
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
  /** Of a deleted image. */
  image: Image | null
  /** Bytes of an interrupted creation as it was put here: unless more come, it is half an image and is deleted. */
  interrupted?: number
}

const dayMilliseconds = 86_400_000
const hourMilliseconds = 3_600_000

/** An agent that goes on writing after the daemon has ended has written more by then. */
const quietMilliseconds = 600_000

export class Bin {
  readonly #deps: BinDeps
  #lastId = 0
  #cancelSweep: (() => void) | undefined
  #cancelQuiet: (() => void) | undefined

  constructor(deps: BinDeps) {
    this.#deps = deps
  }

  /** Removes what is too old, now and every hour. */
  start(): void {
    const sweep = () => {
      this.#sweep().catch(error => this.#deps.log.error('images', 'bin not emptied', error))
      this.#cancelSweep = this.#deps.clock.after(hourMilliseconds, sweep)
    }
    sweep()
    this.#cancelQuiet = this.#deps.clock.after(quietMilliseconds, () => {
      this.#deleteInterrupted().catch(error => this.#deps.log.error('images', 'interrupted creations', error))
    })
  }

  close(): void {
    this.#cancelSweep?.()
    this.#cancelQuiet?.()
  }

  /** Moves all files of an image into a new entry, in this tick. Throws the system's error. */
  put(name: string, reason: BinEntry['reason'], image: Image | null = null): void {
    const to = this.#moveOut(name)
    if (to === undefined) return
    const entry = this.#entryOf(name, reason, image)
    this.#finish(name, this.#deps.days === 0 ? rm(to, { recursive: true }) : this.#write(to, entry))
  }

  /** The same for a creation that may be half: it is deleted some minutes after the start, unless it grows until then. */
  putInterrupted(name: string): void {
    const to = this.#moveOut(name)
    if (to === undefined) return
    const store = async () => {
      if (this.#deps.days === 0) return rm(to, { recursive: true })
      const entry = this.#entryOf(name, 'creation failed')
      await this.#write(to, { ...entry, interrupted: await sizeOfFiles(to, name) })
    }
    this.#finish(name, store())
  }

  #entryOf(name: string, reason: BinEntry['reason'], image: Image | null = null): StoredEntry {
    return { name, deleted: new Date(this.#deps.clock.now()).toISOString(), reason, image }
  }

  #write(folder: string, entry: StoredEntry): Promise<void> {
    return writeFile(join(folder, entryFile), JSON.stringify(entry))
  }

  /** Deletes all files of an image. Their names are free after this tick; deleting a large file takes seconds. */
  discard(name: string): void {
    const to = this.#moveOut(name)
    if (to !== undefined) this.#finish(name, rm(to, { recursive: true }))
  }

  /** Returns the folder of the new entry; undefined when the image has no files. */
  #moveOut(name: string): string | undefined {
    const { directory, folder, clock } = this.#deps
    mkdirSync(folder, { recursive: true })
    this.#lastId = Math.max(clock.now(), this.#lastId + 1)
    // Another host may share the folder.
    while (!tryMakeFolder(this.#pathOf(this.#lastId))) this.#lastId += 1
    const to = this.#pathOf(this.#lastId)
    if (moveFiles({ folder: directory, name }, { folder: to, name }) > 0) return to
    rmdirSync(to)
    return undefined
  }

  #finish(name: string, done: Promise<void>): void {
    done.catch(error => this.#deps.log.warn('images', `bin: ${name}: ${message(error)}`))
  }

  /** The newest entry first. */
  async list(): Promise<BinEntry[]> {
    const { days } = this.#deps
    const entries = (await this.#ids()).map(async id => {
      const stored = await this.#read(id)
      if (!stored) return undefined
      const { name, deleted, reason } = stored
      const expires = new Date(Date.parse(deleted) + days * dayMilliseconds).toISOString()
      return { id, name, deleted, expires, reason, size: await sizeOfFiles(this.#pathOf(id), name) }
    })
    return (await Promise.all(entries)).filter(entry => entry !== undefined).sort((a, b) => b.id - a.id)
  }

  async find(id: number): Promise<StoredEntry | undefined> {
    return (await this.#ids()).includes(id) ? this.#read(id) : undefined
  }

  /** Moves the files back, under a name that no file has. */
  async takeOut(id: number, from: string, to: string): Promise<void> {
    moveFiles({ folder: this.#pathOf(id), name: from }, { folder: this.#deps.directory, name: to })
    await this.purge(id)
  }

  /** Deletes the files of an entry. */
  purge(id: number): Promise<void> {
    return rm(this.#pathOf(id), { recursive: true, force: true })
  }

  async #sweep(): Promise<void> {
    const { days, clock, log } = this.#deps
    for (const id of await this.#ids()) {
      if (id + days * dayMilliseconds > clock.now()) continue
      const entry = await this.#read(id)
      await this.purge(id)
      log.info('images', `bin: ${entry?.name ?? id} deleted, after ${days} days`)
    }
  }

  async #deleteInterrupted(): Promise<void> {
    for (const id of await this.#ids()) {
      const entry = await this.#read(id)
      if (entry?.interrupted === undefined) continue
      const isHalf = (await sizeOfFiles(this.#pathOf(id), entry.name)) === entry.interrupted
      if (isHalf) await this.purge(id)
      this.#deps.log.info('images', `bin: ${entry.name} ${isHalf ? 'deleted' : 'kept'}, an interrupted creation`)
    }
  }

  #pathOf(id: number): string {
    return join(this.#deps.folder, String(id))
  }

  /** An id is the time of its entry in epoch milliseconds. */
  async #ids(): Promise<number[]> {
    await mkdir(this.#deps.folder, { recursive: true })
    return (await readdir(this.#deps.folder)).filter(name => /^\d+$/.test(name)).map(Number)
  }

  async #read(id: number): Promise<StoredEntry | undefined> {
    try {
      // `as`: only this class writes the file.
      return JSON.parse(await readFile(join(this.#pathOf(id), entryFile), 'utf8')) as StoredEntry
    } catch (error) {
      if (!isNotFound(error)) this.#deps.log.warn('images', `bin: entry ${id} cannot be read: ${message(error)}`)
      return undefined
    }
  }
}

const entryFile = 'entry.json'

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

// Compares image files with the checksums that agents wrote next to them: one at a time, at low priority.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ImageCheck } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import { isNotFound } from '../system/file-system.ts'
import { createMutex } from '../system/mutex.ts'
import { daemonFile, imageFile, sumFile } from './image-folder.ts'
import { readList, writeList } from './json-file.ts'

interface ChecksDeps {
  directory: string
  log: Log
  /** Called when the check of a file has ended. */
  onEnd(name: string): void
}

type FinalState = 'ok' | 'damaged' | 'no checksum' | 'unreadable'

/** The result is that of the file as it was then. */
interface Result {
  state: FinalState
  /** ISO time of the end. */
  at: string
  size: number
  /** Epoch milliseconds. */
  modified: number
}

type FileState = Pick<Result, 'size' | 'modified'>

/** The longest file that is read as a checksum: the tools write 32 digits, some followed by a name. */
const maxSumBytes = 4096

export class Checks {
  readonly #deps: ChecksDeps
  /** Keeps the results over a restart. */
  readonly #file: string
  readonly #results: Map<string, Result>
  readonly #oneAtATime = createMutex()
  /** What waits or, with the percentage that was read, runs. */
  readonly #percents = new Map<string, number | undefined>()
  readonly #abort = new AbortController()

  constructor(deps: ChecksDeps) {
    this.#deps = deps
    this.#file = daemonFile(deps.directory, 'checks.json')
    this.#results = new Map(readList<[string, Result]>(this.#file, deps.log))
  }

  /** The state of the check of `<name>.img`; a result for a file that has changed since is none. */
  stateOf(name: string, file: FileState): ImageCheck {
    const percent = this.#percents.get(name)
    if (percent !== undefined) return { state: 'running', percent }
    if (this.#percents.has(name)) return { state: 'queued' }
    const result = this.#results.get(name)
    if (!result || result.size !== file.size || result.modified !== file.modified) return { state: 'not checked' }
    return { state: result.state, at: result.at }
  }

  /** Checks a file when the earlier ones have ended; one that waits or runs is not checked twice. */
  add(name: string): void {
    if (this.#percents.has(name)) return
    this.#percents.set(name, undefined)
    void this.#oneAtATime(async () => {
      this.#percents.set(name, 0)
      const isDone = await this.#run(name)
      this.#percents.delete(name)
      if (isDone) this.#deps.onEnd(name)
    })
  }

  /** The results of a file follow it to its new name. */
  rename(from: string, to: string): void {
    const result = this.#results.get(from)
    this.#results.delete(from)
    if (result) this.#results.set(to, result)
    else this.#results.delete(to)
    this.#store()
  }

  forget(name: string): void {
    if (this.#results.delete(name)) this.#store()
  }

  /** Ends the running check, without a result. */
  close(): Promise<void> {
    this.#abort.abort()
    return this.#oneAtATime(async () => {})
  }

  /** Never rejects; resolves to whether there is a result. */
  async #run(name: string): Promise<boolean> {
    const { log, directory } = this.#deps
    const { signal } = this.#abort
    const path = join(directory, imageFile(name))
    try {
      const before = await stateOfFile(path)
      const result = await this.#compare(name, path, before.size)
      signal.throwIfAborted()
      const after = await stateOfFile(path)
      if (after.size !== before.size || after.modified !== before.modified)
        throw new Error('the file was changed meanwhile')
      this.#results.set(name, { state: result.state, at: new Date().toISOString(), ...before })
      this.#store()
      if (result.state === 'ok') log.info('images', `check of ${name}: the file matches its checksum`)
      else log.warn('images', `check of ${name}: ${result.details}`)
      return true
    } catch (error) {
      if (!signal.aborted) log.warn('images', `check of ${name}: no result: ${message(error)}`)
      return false
    }
  }

  async #compare(name: string, path: string, size: number): Promise<{ state: FinalState; details: string }> {
    const onProgress = (bytes: number) => this.#percents.set(name, Math.floor((100 * bytes) / Math.max(1, size)))
    try {
      const expected = await readSum(join(this.#deps.directory, sumFile(name)))
      if (expected === undefined)
        return { state: 'no checksum', details: `${sumFile(name)}: expected 32 hexadecimal digits, got none` }
      const got = await digestFile(path, { signal: this.#abort.signal, onProgress })
      if (got === expected) return { state: 'ok', details: '' }
      return { state: 'damaged', details: `the file is damaged: expected MD5 ${expected}, got ${got}` }
    } catch (error) {
      return { state: 'unreadable', details: message(error) }
    }
  }

  #store(): void {
    try {
      writeList(this.#file, [...this.#results])
    } catch (error) {
      this.#deps.log.warn('images', `results of checks not stored: ${message(error)}`)
    }
  }
}

async function stateOfFile(path: string): Promise<FileState> {
  const { size, mtimeMs } = await stat(path)
  return { size, modified: mtimeMs }
}

/** The MD5 in a file such as `md5sum` writes; undefined when there is none. */
export async function readSum(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > maxSumBytes) return undefined
    return /^\s*\\?([0-9a-f]{32})(?![0-9a-f])/i.exec(await readFile(path, 'latin1'))?.[1]?.toLowerCase()
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Hashed without a pause in about half a millisecond. */
const sliceBytes = 256 * 1024

/** Pauses are so many times as long as the work before: less than a quarter of one core. */
const pauseFactor = 3

/** Work is collected up to this time, because a timer is no more precise. */
const workMilliseconds = 2

interface DigestOptions {
  signal: AbortSignal
  /** Called after each slice with the bytes read. */
  onProgress?(bytes: number): unknown
}

/** Resolves to the MD5 in lower case. Rejects with the system's error, or when the signal is aborted. */
export async function digestFile(path: string, { signal, onProgress }: DigestOptions): Promise<string> {
  const hash = createHash('md5')
  let total = 0
  let worked = 0
  for await (const slice of createReadStream(path, { highWaterMark: sliceBytes, signal })) {
    const began = performance.now()
    hash.update(slice)
    worked += performance.now() - began
    total += slice.length
    onProgress?.(total)
    if (worked < workMilliseconds) continue
    await wait(worked * pauseFactor, undefined, { signal })
    worked = 0
  }
  return hash.digest('hex')
}

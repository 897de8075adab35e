// Appends records to the audit log: those of one tick together, never while a request waits for it.

import { type FileHandle, open, stat } from 'node:fs/promises'
import { type Log, message } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { createDataFolder } from '../system/file-system.ts'
import { perTick } from '../system/time-slices.ts'
import { auditFile, deleteOldMonths, monthOf } from './audit-files.ts'

export interface AuditWriterDeps {
  folder: string
  /** Months that files are kept after their own, 0: for ever. Read at each new file. */
  limits: { audit_months: number }
  clock: Clock
  log: Log
}

/** Bytes of records that wait for a disk that cannot be written; later ones are lost and counted. About 30,000 records. */
const maxWaitingBytes = 8 * 1024 * 1024

/** Milliseconds until records that could not be written are tried again. */
const retryMilliseconds = 1000

/** Milliseconds after which the file is looked up again: somebody may have moved it away. */
const lookUpMilliseconds = 1000

const fileMode = 0o600
const lineEnd = 0x0a

interface OpenFile {
  month: string
  handle: FileHandle
  lookedUp: number
}

/** Lines for the file of one month. */
interface Batch {
  month: string
  lines: string[]
}

export class AuditWriter {
  readonly #deps: AuditWriterDeps
  readonly #scheduleWrite = perTick(() => void this.#write())
  #waiting: Batch[] = []
  #waitingBytes = 0
  /** What could not be written yet of the batch in hand. */
  #rest = Buffer.alloc(0)
  #restMonth = ''
  /** The file has the beginning of that rest's first line. */
  #isMidLine = false
  #writing: Promise<void> | undefined
  #file: OpenFile | undefined
  #problem: string | undefined
  #lost = 0
  #isClosed = false
  #cancelRetry = () => {}

  constructor(deps: AuditWriterDeps) {
    this.#deps = deps
  }

  /** Why the disk cannot be written at present. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Deletes the files that are too old. */
  async start(): Promise<void> {
    const { folder, limits, clock, log } = this.#deps
    try {
      await deleteOldMonths(folder, new Date(clock.now()).toISOString(), limits.audit_months)
    } catch (error) {
      log.warn('audit', `${folder}: old files were not deleted: ${message(error)}`)
    }
  }

  /** `line` ends with a line break and has the ISO time `time`. */
  add(line: string, time: string): void {
    if (this.#waitingBytes + this.#rest.length > maxWaitingBytes) {
      this.#lost += 1
      return
    }
    const month = monthOf(time)
    const last = this.#waiting.at(-1)
    if (last?.month === month) last.lines.push(line)
    else this.#waiting.push({ month, lines: [line] })
    this.#waitingBytes += line.length
    if (this.#problem === undefined) this.#scheduleWrite()
  }

  /** Resolves when the records so far are in the file, or have failed to be written. */
  async flush(): Promise<void> {
    while (this.#problem === undefined && (this.#hasWork() || this.#writing)) await this.#write()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRetry()
    await this.#writing
    if (this.#hasWork()) await this.#write()
    const waiting = this.#waiting.reduce((sum, { lines }) => sum + lines.length, countLines(this.#rest))
    if (this.#lost + waiting > 0) this.#deps.log.warn('audit', `${this.#lost + waiting} records are lost`)
    await this.#file?.handle.close()
    this.#file = undefined
  }

  #hasWork(): boolean {
    return this.#rest.length > 0 || this.#waiting.length > 0
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#hasWork()) {
        if (this.#rest.length === 0) this.#takeBatch()
        await this.#writeRest()
      }
      this.#reportSuccess()
    } catch (error) {
      await this.#file?.handle.close().catch(() => {})
      this.#file = undefined
      this.#reportFailure(error)
    }
  }

  #takeBatch(): void {
    const batch = this.#waiting.shift()
    if (!batch) return
    const text = batch.lines.join('')
    this.#waitingBytes -= text.length
    this.#rest = Buffer.from(text)
    this.#restMonth = batch.month
  }

  /** A full disk may take a part: what remains is written later, so that no line is there twice or in part. */
  async #writeRest(): Promise<void> {
    const { handle } = await this.#fileOf(this.#restMonth)
    while (this.#rest.length > 0) {
      const { bytesWritten } = await handle.write(this.#rest)
      this.#rest = this.#rest.subarray(bytesWritten)
      this.#isMidLine = this.#rest.length > 0
    }
  }

  async #fileOf(month: string): Promise<OpenFile> {
    const now = performance.now()
    const file = this.#file
    if (file?.month === month) {
      if (now - file.lookedUp < lookUpMilliseconds) return file
      file.lookedUp = now
      if (await isStillThere(file.handle, auditFile(this.#deps.folder, month))) return file
    }
    this.#file = undefined
    await file?.handle.close()
    const opened = { month, handle: await this.#open(month), lookedUp: now }
    this.#file = opened
    await this.start()
    return opened
  }

  async #open(month: string): Promise<FileHandle> {
    const { folder } = this.#deps
    createDataFolder(folder)
    const handle = await open(auditFile(folder, month), 'a+', fileMode)
    try {
      const { size } = await handle.stat()
      const last = Buffer.alloc(1)
      if (size > 0) await handle.read(last, 0, 1, size - 1)
      // A power cut can leave a part of a line.
      if (size > 0 && last[0] !== lineEnd && !this.#isMidLine) await handle.write('\n')
      return handle
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  #reportSuccess(): void {
    if (this.#problem === undefined) return
    this.#problem = undefined
    const lost = this.#lost > 0 ? `; ${this.#lost} records are lost` : ''
    this.#lost = 0
    this.#deps.log.info('audit', `records are written again${lost}`)
  }

  #reportFailure(error: unknown): void {
    const { clock, log } = this.#deps
    const reason = message(error)
    if (this.#problem === undefined) log.warn('audit', `records cannot be written, retrying: ${reason}`)
    this.#problem = reason
    if (!this.#isClosed) this.#cancelRetry = clock.after(retryMilliseconds, () => void this.#write())
  }
}

const countLines = (bytes: Buffer): number => bytes.toString('latin1').split('\n').length - 1

async function isStillThere(handle: FileHandle, path: string): Promise<boolean> {
  const [opened, named] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)])
  return named?.ino === opened.ino && named.dev === opened.dev
}

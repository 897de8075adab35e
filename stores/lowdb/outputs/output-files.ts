// Keeps the outputs of parts in append-only files, and deletes the oldest files when they exceed the limit.
import { constants } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { OutputSegments } from '../../memory/output-segments.ts'
import { type OutputReference, type Outputs, segmentOf } from '../../memory/outputs.ts'
import type { Tables } from '../../memory/tables/tables.ts'
import type { StoreLimits, StoreLog } from '../../store.ts'
import { fileMode } from '../file-modes.ts'
import { syncFolder } from '../files.ts'
import { toDiskError } from '../journal/journal-file.ts'
import { findSegments, openExisting, outputFile, readOutputs } from './output-reader.ts'
import { type Block, type PendingOutput, recordBytes, toBlocks } from './output-record.ts'

/** Each write is on disk when it returns, as in the journal. */
const syncedWrites = constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC

interface OutputFilesDeps {
  /** Whose rows refer to the outputs. */
  tables: Tables
  limits: StoreLimits
  log: StoreLog
}

export class OutputFiles implements Outputs {
  /** Outputs that are not on disk yet. */
  readonly #pending = new Map<number, PendingOutput>()
  readonly #segments: OutputSegments
  /** Segments whose files contain bytes of outputs that were undone. */
  readonly #undone = new Set<number>()
  #mayBeUnused = true
  #holds = 0
  #file: { segment: number; handle: FileHandle } | undefined
  #work: Promise<void> = Promise.resolve()
  readonly #path: string
  readonly #deps: OutputFilesDeps

  private constructor(path: string, deps: OutputFilesDeps) {
    this.#path = path
    this.#deps = deps
    this.#segments = new OutputSegments(deps.limits)
  }

  /** The last file is continued after all its bytes: an incomplete record at its end has no reference. */
  static async open(path: string, deps: OutputFilesDeps): Promise<OutputFiles> {
    const files = new OutputFiles(path, deps)
    for (const segment of await findSegments(path)) {
      files.#segments.restore(segment, (await stat(outputFile(path, segment))).size)
    }
    return files
  }

  add(part: number, text: string): number {
    const bytes = recordBytes(text)
    const reference = this.#segments.assign(bytes)
    this.#pending.set(reference, { part, text, bytes })
    return reference
  }

  undo(reference: number, text: string): void {
    this.#segments.undo(reference, recordBytes(text))
    if (!this.#pending.delete(reference)) this.#undone.add(segmentOf(reference))
  }

  /** Rejects as the journal does, with `DiskFullError` when the outputs may fit later. */
  write(references: readonly number[]): Promise<void> {
    return references.length === 0 ? Promise.resolve() : this.#afterWork(() => this.#write(references))
  }

  async read(references: readonly OutputReference[]): Promise<(string | undefined)[]> {
    const texts = references.map(({ reference }) => this.#pending.get(reference)?.text)
    const isOnDisk = (_: unknown, at: number) => texts[at] === undefined
    const onDisk = references.filter(isOnDisk)
    if (onDisk.length === 0) return texts
    const read = await readOutputs(this.#path, onDisk, this.#deps.log)
    let next = 0
    return texts.map(text => text ?? read[next++])
  }

  hold(): () => void {
    this.#holds += 1
    return () => {
      this.#holds -= 1
      this.#mayBeUnused = true
    }
  }

  /**
   * Deletes the oldest files beyond the limit. When no transaction is pending, whose failure would bring back references,
   * also those without references. Never rejects: what could not be deleted is deleted after the next start.
   */
  async clean(isIdle: boolean): Promise<void> {
    const excess = this.#holds > 0 ? [] : this.#segments.takeExcess()
    const unused = isIdle ? this.#takeUnused() : []
    const undone = [...this.#undone]
    this.#undone.clear()
    if (excess.length + unused.length + undone.length === 0) return
    await this.#afterWork(async () => {
      for (const segment of undone) await this.#truncate(segment)
      for (const segment of [...excess, ...unused]) await this.#delete(segment)
    }).catch(error => this.#deps.log.warn('store', `could not delete old outputs: ${error.message}`))
    if (excess.length === 0) return
    const { outputs_bytes } = this.#deps.limits
    this.#deps.log.info('store', `dropped the oldest outputs: all outputs take at most ${outputs_bytes} bytes`)
  }

  async close(): Promise<void> {
    await this.#work
    await this.#file?.handle.close()
  }

  #afterWork(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => {})
    return done
  }

  async #write(references: readonly number[]): Promise<void> {
    try {
      for (const block of toBlocks(references, this.#pending)) await this.#writeBlock(block)
    } catch (error) {
      for (const reference of references) this.#undone.add(segmentOf(reference))
      throw toDiskError(error)
    }
    for (const reference of references) this.#pending.delete(reference)
  }

  async #writeBlock({ segment, at, bytes }: Block): Promise<void> {
    const handle = await this.#openSegment(segment)
    const { length } = bytes
    for (let done = 0; done < length; ) done += (await handle.write(bytes, done, length - done, at + done)).bytesWritten
  }

  async #openSegment(segment: number): Promise<FileHandle> {
    if (this.#file?.segment === segment) return this.#file.handle
    await this.#closeFile()
    const handle = await open(outputFile(this.#path, segment), syncedWrites, fileMode)
    this.#file = { segment, handle }
    await syncFolder(this.#path)
    return handle
  }

  async #closeFile(): Promise<void> {
    await this.#file?.handle.close()
    this.#file = undefined
  }

  #takeUnused(): number[] {
    const { outputs } = this.#deps.tables.references
    if (this.#holds > 0 || (!this.#mayBeUnused && outputs.unreferenced.size === 0)) return []
    this.#mayBeUnused = false
    outputs.unreferenced.clear()
    return this.#segments.takeUnused(segment => outputs.has(segment))
  }

  async #delete(segment: number): Promise<void> {
    if (this.#file?.segment === segment) await this.#closeFile()
    await rm(outputFile(this.#path, segment), { force: true })
  }

  /** A full disk needs the space of outputs that were undone. */
  async #truncate(segment: number): Promise<void> {
    const handle = await openExisting(outputFile(this.#path, segment), 'r+')
    try {
      const excess = ((await handle?.stat())?.size ?? 0) - this.#segments.bytesOf(segment)
      if (excess > 0) await handle?.truncate(this.#segments.bytesOf(segment))
    } finally {
      await handle?.close()
    }
  }
}

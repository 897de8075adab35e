// Reads outputs from the files `outputs.<segment>` of a store's folder.
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type OutputReference, offsetOf, referencesIn, segmentOf } from '../../memory/outputs.ts'
import { jobIdOf, partIndexOf } from '../../memory/tables/part-ids.ts'
import type { Tables } from '../../memory/tables/tables.ts'
import type { StoreLog } from '../../store.ts'
import { decodeRecord, lengthOf } from './output-record.ts'

export const outputFile = (path: string, segment: number): string => join(path, `outputs.${segment}`)

/** The numbers of the segments that exist, ascending. */
export async function findSegments(path: string): Promise<number[]> {
  const numbers = (await readdir(path)).map(name => Number(/^outputs\.([1-9]\d*)$/.exec(name)?.[1]))
  return numbers.filter(number => number > 0).sort((a, b) => a - b)
}

/** Undefined for outputs whose file was deleted; damaged ones count as dropped, too, and are logged. */
export async function readOutputs(
  path: string,
  references: readonly OutputReference[],
  log: StoreLog,
): Promise<(string | undefined)[]> {
  const windowBytes = references.length > 1 ? manyBytes : oneBytes
  const readers = new Map<number, SegmentReader | undefined>()
  const texts: (string | undefined)[] = []
  try {
    for (const { part, reference } of references) {
      const segment = segmentOf(reference)
      const file = outputFile(path, segment)
      if (!readers.has(segment)) {
        const handle = await openExisting(file, 'r')
        readers.set(segment, handle && new SegmentReader(handle, windowBytes))
      }
      const reader = readers.get(segment)
      const text = await reader?.read(offsetOf(reference), part)
      if (reader && text === undefined) log.warn('store', describeDamage(file, part, reference))
      texts.push(text)
    }
    return texts
  } finally {
    for (const reader of readers.values()) await reader?.close()
  }
}

/** Bytes that are read at once for one output: more than most have. */
const oneBytes = 8192

/** The same for several outputs, which often follow each other. */
const manyBytes = 65_536

class SegmentReader {
  /** The bytes that were read last, and where they begin. */
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  readonly #handle: FileHandle
  readonly #windowBytes: number

  constructor(handle: FileHandle, windowBytes: number) {
    this.#handle = handle
    this.#windowBytes = windowBytes
  }

  /** The output of the part whose record begins at this byte; undefined when it is damaged. */
  async read(at: number, part: number): Promise<string | undefined> {
    const buffered = this.#bytesAt(at)
    const length = lengthOf(buffered)
    if (length !== undefined && length <= buffered.length) return decodeRecord(buffered, part)
    await this.#load(at, this.#windowBytes)
    const needed = lengthOf(this.#bytes) ?? 0
    if (needed > this.#bytes.length && at + needed <= (await this.#handle.stat()).size) await this.#load(at, needed)
    return decodeRecord(this.#bytes, part)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  #bytesAt(at: number): Buffer {
    return at < this.#at ? Buffer.alloc(0) : this.#bytes.subarray(at - this.#at)
  }

  async #load(at: number, length: number): Promise<void> {
    const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(length), 0, length, at)
    this.#bytes = buffer.subarray(0, bytesRead)
    this.#at = at
  }
}

export async function openExisting(file: string, flags: 'r' | 'r+'): Promise<FileHandle | undefined> {
  return open(file, flags).catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

const describeDamage = (file: string, part: number, reference: number) =>
  `${file}: expected the output of job ${jobIdOf({ id: part })}, part ${partIndexOf({ id: part })} ` +
  `at byte ${offsetOf(reference)}, got other bytes; it counts as dropped`

/** Resolves to one line for each damaged output; outputs whose files were deleted are none. */
export async function findDamagedOutputs(path: string, { all }: Tables): Promise<string[]> {
  const problems: string[] = []
  const log = { info() {}, warn: (_where: string, what: string) => void problems.push(what) }
  for (const row of all.parts.all()) await readOutputs(path, referencesIn(row), log)
  return problems
}

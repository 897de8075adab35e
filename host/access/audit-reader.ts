// Reads the audit log from a position on, in chunks: however large the files are, the event loop runs between them.
import { type FileHandle, open } from 'node:fs/promises'
import type { AuditPage, AuditQuery, AuditRecord } from '../contract/services.ts'
import { isNotFound } from '../system/file-system.ts'
import { auditFile, listMonths, monthOf } from './audit-files.ts'

/** Bytes that are read at once: about 1000 records, which take a few milliseconds. */
const chunkBytes = 256 * 1024

/** Milliseconds after which a page ends, also one without a record. */
const pageMilliseconds = 3000

/** Bytes of a page besides its records. */
const pageHead = 256

const dayMilliseconds = 86_400_000

/** Every line begins with its time. */
const timeStart = '{"time":"'.length
const timeEnd = timeStart + '2026-09-14T08:00:00.000Z'.length

export interface ReadAuditDeps {
  folder: string
  /** The time in milliseconds. */
  now: number
  /** Bytes that the response may have. */
  maxBytes: number
}

/** `after` and `next` are `month.offset`, where the offset is in bytes of that month's file. */
export async function readAudit(query: AuditQuery, { folder, now, maxBytes }: ReadAuditDeps): Promise<AuditPage> {
  const { after } = query
  // Without anything to begin at: the last day.
  const since = query.since ?? (after === undefined ? new Date(now - dayMilliseconds).toISOString() : '')
  const [first = '', offset = '0'] = (after ?? `${monthOf(since)}.0`).split('.')
  const page = new Page({ ...query, since }, maxBytes - pageHead)
  let position = { month: first, offset: Number(offset) }
  for (const month of await listMonths(folder)) {
    if (month < first || page.isFull) continue
    if (month !== first) position = { month, offset: 0 }
    position.offset = await readFile(auditFile(folder, month), position.offset, page)
  }
  return { audit: page.records, next: `${position.month}.${position.offset}` }
}

/** The records of one response. */
class Page {
  readonly records: AuditRecord[] = []
  isFull = false
  readonly #query: AuditQuery & { since: string }
  readonly #end = performance.now() + pageMilliseconds
  #bytes: number

  constructor(query: AuditQuery & { since: string }, bytes: number) {
    this.#query = query
    this.#bytes = bytes
  }

  /** Adds the records of the lines and returns up to which byte: up to the first record that does not fit. */
  add(chunk: Buffer): number {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const record = this.#find(chunk, start, end)
      if (record) {
        this.#bytes -= end - start + 1
        if (this.records.length > 0 && this.#bytes < 0) this.isFull = true
        else this.records.push(record)
        if (this.isFull) return start
      }
      start = end + 1
      if (this.records.length >= this.#query.limit) {
        this.isFull = true
        return start
      }
    }
    this.isFull ||= performance.now() > this.#end
    return start
  }

  #find(chunk: Buffer, start: number, end: number): AuditRecord | undefined {
    if (chunk.toString('latin1', start + timeStart, start + timeEnd) < this.#query.since) return undefined
    const record = parse(chunk.toString('utf8', start, end))
    return record && matches(record, this.#query) ? record : undefined
  }
}

/** Undefined for a line that a power cut has damaged. */
function parse(line: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(line)
    // `as`: the lines are those of the writer; a damaged one is no JSON.
    return value instanceof Object && 'time' in value ? (value as AuditRecord) : undefined
  } catch {
    return undefined
  }
}

/** `who` with or without its kind: `token lab` or `lab`. `route` with or without its method, or the beginning of its path. */
function matches(record: AuditRecord, { who, route }: AuditQuery): boolean {
  if (who !== undefined && record.who !== who && record.who.replace(/^(token|user) /, '') !== who) return false
  if (route === undefined || record.route === route) return true
  const path = record.route.slice(record.route.indexOf(' ') + 1)
  const wanted = route.replace(/^\/?/, '/')
  return path === wanted || path.startsWith(`${wanted}/`)
}

/** Resolves to the byte up to which the page has the records of the file. */
async function readFile(path: string, start: number, page: Page): Promise<number> {
  let file: FileHandle
  try {
    file = await open(path)
  } catch (error) {
    if (isNotFound(error)) return start
    throw error
  }
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    let offset = start
    while (!page.isFull) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, offset)
      const used = page.add(buffer.subarray(0, bytesRead))
      // A line that is longer than a chunk is none of this daemon's.
      offset += used === 0 && bytesRead === chunkBytes && !page.isFull ? bytesRead : used
      if (bytesRead < chunkBytes) break
    }
    return offset
  } finally {
    await file.close()
  }
}

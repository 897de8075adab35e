// Writes all rows of one moment to a file, in short steps.
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Row } from '../../memory/tables/row-types.ts'
import type { Tables } from '../../memory/tables/tables.ts'
import { fileMode } from '../file-modes.ts'
import { publish, snapshotFile } from '../files.ts'
import { encode, type FileHeader, format } from './record-format.ts'

/** Characters that are encoded in one step: about a millisecond. */
const recordCharacters = 1 << 17

/** Bytes after which the file is synced, so that the fsyncs of the journal do not wait for the whole file. */
const syncBytes = 1 << 20

interface Capture {
  rows: (readonly [string, readonly Row[]])[]
  /** The last id that each table assigned. */
  last: (readonly [string, number])[]
}

/** Rows are replaced, never changed, so lists of them are the state of this moment. */
export function capture({ all }: Tables): Capture {
  const tables = Object.entries(all)
  return {
    rows: tables.map(([name, table]) => [name, [...table.all()]]),
    // A new table without ids is not named: versions that do not know it can read the file.
    last: tables.flatMap(([name, { last }]) => (last > 0 ? [[name, last]] : [])),
  }
}

/** Resolves to the size of the file in bytes. Rejects early when `stop` is aborted. */
export async function writeSnapshot(
  path: string,
  generation: number,
  state: Capture,
  stop: AbortSignal,
): Promise<number> {
  const name = snapshotFile(path, generation)
  const unfinished = `${name}.tmp`
  try {
    const handle = await open(unfinished, 'w', fileMode)
    const records = toRecords({ format, file: basename(name) }, state)
    const size = await writeRecords(handle, records, stop).finally(() => handle.close())
    await publish(path, unfinished, name)
    return size
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function writeRecords(handle: FileHandle, records: Iterable<string>, stop: AbortSignal): Promise<number> {
  let size = 0
  let synced = 0
  let sum = 0
  for (const text of records) {
    stop.throwIfAborted()
    const encoded = encode(text, sum)
    const { record } = encoded
    sum = encoded.sum
    await handle.appendFile(record)
    size += record.length
    if (size - synced < syncBytes) continue
    await handle.datasync()
    synced = size
  }
  await handle.sync()
  return size
}

function* toRecords(header: FileHeader, { rows, last }: Capture): Generator<string> {
  yield JSON.stringify(header)
  yield JSON.stringify(last)
  let count = 0
  for (const [name, list] of rows) {
    let text = ''
    for (const row of list) {
      text += `${text === '' ? '' : ','}["${name}",${JSON.stringify(row)}]`
      if (text.length < recordCharacters) continue
      yield `[${text}]`
      text = ''
    }
    if (text !== '') yield `[${text}]`
    count += list.length
  }
  yield JSON.stringify({ rows: count })
}

// Writes all rows of one moment to a file, a little at a time.
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Row } from '../memory/tables/row-types.ts'
import type { Tables } from '../memory/tables/tables.ts'
import { publish, snapshotFile } from './files.ts'
import { encode, format } from './record-format.ts'

/** Characters that are encoded in one go: about a millisecond. */
const slice = 1 << 17

/** Bytes after which the disk is made to follow, so that the journal's fsyncs do not wait for the whole file. */
const syncEvery = 1 << 20

export interface Capture {
  rows: (readonly [string, readonly Row[]])[]
  /** Each table's last id given. */
  last: (readonly [string, number])[]
}

/** Rows are replaced, never changed, so lists of them are the state of this moment. */
export function capture({ all }: Tables): Capture {
  const tables = Object.entries(all)
  return {
    rows: tables.map(([name, table]) => [name, [...table.all()]]),
    last: tables.map(([name, table]) => [name, table.last]),
  }
}

/** Resolves to the file's bytes. `stop` ends it early with a rejection. */
export async function writeSnapshot(
  path: string,
  generation: number,
  state: Capture,
  stop: AbortSignal,
): Promise<number> {
  const name = snapshotFile(path, generation)
  const unfinished = `${name}.tmp`
  try {
    const handle = await open(unfinished, 'w')
    const size = await writeAll(handle, state, stop).finally(() => handle.close())
    await publish(path, unfinished, name)
    return size
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function writeAll(handle: FileHandle, state: Capture, stop: AbortSignal): Promise<number> {
  let size = 0
  let synced = 0
  for (const text of texts(state)) {
    stop.throwIfAborted()
    const record = encode(text)
    await handle.appendFile(record)
    size += record.length
    if (size - synced < syncEvery) continue
    await handle.datasync()
    synced = size
  }
  await handle.sync()
  return size
}

function* texts({ rows, last }: Capture): Generator<string> {
  yield JSON.stringify({ format })
  yield JSON.stringify(last)
  let count = 0
  for (const [name, list] of rows) {
    let text = ''
    for (const row of list) {
      text += `${text === '' ? '' : ','}["${name}",${JSON.stringify(row)}]`
      if (text.length < slice) continue
      yield `[${text}]`
      text = ''
    }
    if (text !== '') yield `[${text}]`
    count += list.length
  }
  yield JSON.stringify({ rows: count })
}

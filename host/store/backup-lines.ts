// The lines of a backup: a header, the entries of the store, and a trailer with their number and checksum.
import { createHash } from 'node:crypto'
import type { Entry } from '../../stores/store.ts'
import { requestPause } from '../system/request-slices.ts'

export const backupFormat = 1

export interface BackupHeader {
  backup: 'fleet-host'
  format: number
  /** ISO time. */
  taken: string
}

export interface BackupTrailer {
  entries: number
  sha256: string
}

/** JSON lines with their line ends. `counter` is increased with each entry. */
export async function* backupLines(
  entries: AsyncIterable<Entry>,
  counter: { entries: number } = { entries: 0 },
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const toLine = (value: BackupHeader | Entry) => {
    const line = `${JSON.stringify(value)}\n`
    hash.update(line)
    return line
  }
  yield toLine({ backup: 'fleet-host', format: backupFormat, taken: new Date().toISOString() })
  for await (const entry of entries) {
    counter.entries += 1
    yield toLine(entry)
  }
  const trailer: BackupTrailer = { entries: counter.entries, sha256: hash.digest('hex') }
  yield `${JSON.stringify(trailer)}\n`
}

/** Characters of a block. */
const blockCharacters = 64 * 1024

/** The lines of a backup in blocks, which are fewer to send. */
export async function* backupBlocks(entries: AsyncIterable<Entry>): AsyncGenerator<string> {
  let block = ''
  for await (const line of backupLines(entries)) {
    block += line
    // A caller that reads fast interrupts it nowhere else.
    const pause = requestPause()
    if (pause) await pause
    if (block.length < blockCharacters) continue
    yield block
    block = ''
  }
  yield block
}

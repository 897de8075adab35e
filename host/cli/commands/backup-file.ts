// Writes and reads backup files.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline as connect } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Entry } from '../../../stores/store.ts'
import { type BackupHeader, type BackupTrailer, backupFormat, backupLines } from '../../store/backup-lines.ts'

const isCompressed = (file: string) => file.endsWith('.gz')

/** Resolves with the number of entries. The file appears under its name when all of it is on disk. */
export async function writeBackup(file: string, entries: AsyncIterable<Entry>): Promise<number> {
  const temporary = `${file}.tmp`
  const counter = { entries: 0 }
  try {
    const lines = backupLines(entries, counter)
    // A file that an interrupted backup has left may have another mode.
    await rm(temporary, { force: true })
    const out = createWriteStream(temporary, { flags: 'wx', mode: 0o600 })
    if (isCompressed(file)) await pipeline(lines, createGzip(), out)
    else await pipeline(lines, out)
    await sync(temporary)
    await rename(temporary, file)
    await sync(dirname(file))
    return counter.entries
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Throws after the last entry when the checksum is wrong: use no entry before the generator has ended. */
export async function* readBackup(file: string): AsyncGenerator<Entry> {
  const hash = createHash('sha256')
  let count = 0
  let trailer: BackupTrailer | undefined
  for await (const line of splitLines(file)) {
    const value = parseLine(file, line)
    if (isEntry(value)) {
      count += 1
      yield value
    } else if ('sha256' in value) trailer = value
    else if (!('backup' in value) || value.format !== backupFormat)
      throw new Error(`${file}: expected a backup of format ${backupFormat}, got another file`)
    if (!trailer) hash.update(line).update('\n')
  }
  if (trailer?.entries !== count || trailer.sha256 !== hash.digest('hex'))
    throw new Error(`${file}: backup incomplete or corrupt (checksum)`)
}

const isEntry = (value: Entry | BackupHeader | BackupTrailer): value is Entry => Array.isArray(value)

/** The value's type is not checked here: the checksum at the end proves that `writeBackup` wrote the line. */
function parseLine(file: string, line: Buffer): Entry | BackupHeader | BackupTrailer {
  try {
    return JSON.parse(line.toString())
  } catch {
    throw new Error(`${file}: expected a backup, got a line that is not JSON`)
  }
}

/** Splits at \n only: node:readline also splits at U+2028, which JSON texts may contain. */
async function* splitLines(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file)
  // The loop below receives the errors of both streams.
  const stream = isCompressed(file) ? connect(source, createGunzip(), () => {}) : source
  let rest = Buffer.alloc(0)
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', start)) {
      yield bytes.subarray(start, end)
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
  if (rest.length > 0) yield rest
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

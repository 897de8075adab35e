// A backup: a store's entries as lines of JSON, between a line that says what it is and one that proves it whole.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline as chain } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Entry } from '../../../stores/store.ts'

const format = 1

interface First {
  backup: 'fleet-host'
  format: number
  taken: string
}

interface Last {
  entries: number
  sha256: string
}

const isPacked = (file: string) => file.endsWith('.gz')

/** Gives the number of entries. The file has its name once all of it is on disk. */
export async function writeBackup(file: string, entries: AsyncIterable<Entry>): Promise<number> {
  const unfinished = `${file}.tmp`
  let count = 0
  try {
    const out = createWriteStream(unfinished, { mode: 0o600 })
    if (isPacked(file)) await pipeline(lines, createGzip(), out)
    else await pipeline(lines, out)
    await sync(unfinished)
    await rename(unfinished, file)
    await sync(dirname(file))
    return count
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }

  async function* lines() {
    const hash = createHash('sha256')
    const first: First = { backup: 'fleet-host', format, taken: new Date().toISOString() }
    yield told(first)
    for await (const entry of entries) {
      count += 1
      yield told(entry)
    }
    const last: Last = { entries: count, sha256: hash.digest('hex') }
    yield `${JSON.stringify(last)}\n`

    function told(what: First | Entry): string {
      const line = `${JSON.stringify(what)}\n`
      hash.update(line)
      return line
    }
  }
}

/** Throws after the last entry when the file is not what was written, so nobody should use them before. */
export async function* readBackup(file: string): AsyncGenerator<Entry> {
  const hash = createHash('sha256')
  let count = 0
  let last: Last | undefined
  for await (const line of linesOf(file)) {
    const what: Entry | First | Last = parse(file, line)
    if (isEntry(what)) {
      count += 1
      yield what
    } else if ('sha256' in what) last = what
    else if (!('backup' in what) || what.format !== format) throw new Error(`${file}: is no backup of this format`)
    if (!last) hash.update(line).update('\n')
  }
  if (last?.entries !== count || last.sha256 !== hash.digest('hex')) throw new Error(`${file}: is not whole`)
}

const isEntry = (what: Entry | First | Last): what is Entry => Array.isArray(what)

function parse(file: string, line: Buffer) {
  try {
    return JSON.parse(line.toString())
  } catch {
    throw new Error(`${file}: is no backup, got a line that is no JSON`)
  }
}

/** Lines as JSON has them: node:readline would also end one inside a text. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const packed = createReadStream(file)
  // The loop below meets the error of either stream.
  const stream = isPacked(file) ? chain(packed, createGunzip(), () => {}) : packed
  let rest = Buffer.alloc(0)
  for await (const part of stream) {
    const bytes = Buffer.concat([rest, part])
    let from = 0
    for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', from)) {
      yield bytes.subarray(from, end)
      from = end + 1
    }
    rest = bytes.subarray(from)
  }
  if (rest.length > 0) yield rest
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

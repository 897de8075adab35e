// Reads a tar archive from outside, compressed by gzip, within limits.
import { gunzipSync } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'

const blockBytes = 512

export type TarEntry = Pick<ReadEntry, 'path' | 'type'>

interface ArchiveLimits {
  /** Bytes of all files. */
  bytes: number
  files: number
}

/**
 * The paths of its files with their contents, in their order. `checkEntry` throws for what is refused; links and
 * devices are. Throws for what is damaged or not the whole archive.
 */
export async function readTarArchive(
  archive: Buffer,
  limits: ArchiveLimits,
  checkEntry: (entry: TarEntry) => void,
): Promise<[path: string, content: Buffer][]> {
  // Headers take some more.
  const tar = gunzipSync(archive, { maxOutputLength: limits.bytes + limits.files * 4 * blockBytes })
  // A second compression, which the parser would undo without a limit.
  if (tar[0] === 0x1f) throw new Error('expected a tar archive, got another file')
  const entries: Promise<[string, Buffer]>[] = []
  let isWhole = false
  const check = (entry: ReadEntry) => {
    checkType(entry)
    checkEntry(entry)
  }
  const parser = new Parser({
    strict: true,
    zstd: false,
    onReadEntry(entry) {
      check(entry)
      if (entries.length === limits.files) throw new Error(`expected at most ${limits.files} files, got more`)
      if (entry.type === 'Directory') entry.resume()
      else entries.push(entry.concat().then(content => [entry.path, content]))
    },
  })
  parser.on('ignoredEntry', check)
  parser.on('eof', () => {
    isWhole = true
  })
  let problem: unknown
  parser.on('error', error => {
    problem ??= error
  })
  // Parses all of it before it returns.
  parser.end(tar)
  if (problem !== undefined) throw problem
  if (!isWhole) throw new Error('expected the end of the archive, got a part of it')
  return Promise.all(entries)
}

function checkType({ path, type }: TarEntry): void {
  if (type !== 'File' && type !== 'OldFile' && type !== 'Directory')
    throw new Error(`${JSON.stringify(path)}: expected a file or a folder, got ${type}`)
}

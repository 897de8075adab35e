// Writes and reads the archive in which a pack is handed on: NAME/… as tar, compressed by gzip.
import { gzipSync } from 'node:zlib'
import { Header } from 'tar'
import { isPackFileName, packLimits } from '../../modules/pack-files.ts'
import { readTarArchive, type TarEntry } from '../../system/tar-archive.ts'

const blockBytes = 512
const mode = 0o644

/** The bytes follow from names and contents alone. */
export function toArchive(pack: string, files: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = []
  for (const [path, content] of files) {
    const header = new Header({ path: `${pack}/${path}`, type: 'File', mode, size: content.length, mtime: new Date(0) })
    const block = Buffer.alloc(blockBytes)
    if (header.encode(block)) throw new Error(`${path}: expected a path that an archive can hold, got a longer one`)
    parts.push(block, content, Buffer.alloc(-content.length & (blockBytes - 1)))
  }
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)]))
}

/**
 * The name of the pack, and its files by their paths. Throws for everything but files and folders with proper names in
 * one folder, and for what is damaged or not the whole archive.
 */
export async function fromArchive(archive: Buffer): Promise<{ pack: string; files: Map<string, Buffer> }> {
  return collect(await readTarArchive(archive, packLimits, checkPath))
}

function checkPath({ path, type }: TarEntry): void {
  const names = path.replace(/\/$/, '').split('/')
  if (!names.every(isPackFileName) || (names.length < 2 && type !== 'Directory'))
    throw new Error(`${JSON.stringify(path)}: expected a path in the folder of the pack, got another one`)
}

function collect(entries: readonly [string, Buffer][]) {
  const [pack = '', ...others] = new Set(entries.map(([path]) => path.split('/', 1)[0]))
  if (!/^[a-z0-9-]+$/.test(pack) || others.length > 0)
    throw new Error('expected one folder with the name of a pack (a-z, 0-9 and -), got something else')
  const files = new Map<string, Buffer>()
  for (const [path, content] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const inside = path.slice(pack.length + 1)
    if (files.has(inside)) throw new Error(`${path}: expected each file once, got it twice`)
    files.set(inside, content)
  }
  return { pack, files }
}

// The files below the folder of a pack, of which its archive and its digest are made: all but hidden ones.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprintOf } from '../system/file-states.ts'

/** Of one pack, with the packages in it; a source text has some kilobytes. */
export const packLimits = { files: 1000, bytes: 20_000_000 }

/** Names that every system keeps as they are, and that no shell reads as anything else. */
export const isPackFileName = (name: string): boolean => /^[\w@+-][\w.@+-]{0,99}$/.test(name)

/**
 * By their paths in the folder, sorted. Adds the fingerprints of all files and folders, taken before they were read, to
 * `seen`. Throws for links, devices and other names than `isPackFileName` allows.
 */
export async function readPackFiles(folder: string, seen = new Map<string, string>()): Promise<Map<string, Buffer>> {
  const paths = await listFiles(folder, '', seen)
  const files = new Map<string, Buffer>()
  let bytes = 0
  for (const path of paths.sort()) {
    const content = await readFile(join(folder, path))
    bytes += content.length
    if (bytes > packLimits.bytes) throw new Error(`${folder}: expected at most ${packLimits.bytes} bytes, got more`)
    files.set(path, content)
  }
  return files
}

async function listFiles(folder: string, below: string, seen: Map<string, string>): Promise<string[]> {
  const paths: string[] = []
  seen.set(join(folder, below), fingerprintOf(join(folder, below)))
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue
    const path = join(below, entry.name)
    if (!isPackFileName(entry.name))
      throw new Error(`${join(folder, path)}: expected a name of letters, digits and . _ - + @, got another one`)
    if (entry.isDirectory()) paths.push(...(await listFiles(folder, path, seen)))
    else if (!entry.isFile())
      throw new Error(`${join(folder, path)}: expected a file or a folder, got a link or a device`)
    else {
      seen.set(join(folder, path), fingerprintOf(join(folder, path)))
      paths.push(path)
    }
    if (seen.size > packLimits.files) throw new Error(`${folder}: expected at most ${packLimits.files} files, got more`)
  }
  return paths
}

/** Differs for each set of names and contents. */
export function digestOf(files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256')
  for (const [path, content] of files) hash.update(`${path}\0${content.length}\0`).update(content)
  return `sha256-${hash.digest('hex')}`
}

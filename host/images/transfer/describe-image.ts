// What is known of the file of an image, for the computer that restores it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isNotFound } from '../../system/file-system.ts'
import { readSum } from '../checks.ts'
import { imageFile, manifestFile, statsOf, sumFile } from '../image-folder.ts'

interface ImageDescription {
  /** Bytes. */
  size: number
  /** Absent of files of the family. */
  sha256?: string
  /** Absent of files without a checksum. */
  md5?: string
}

/** Rejects when there is no such file. */
export async function describeImage(directory: string, name: string): Promise<ImageDescription> {
  const stats = await statsOf(directory, name)
  if (!stats) throw new Error(`${imageFile(name)}: expected a file in the repository, got none`)
  const { size } = stats
  const manifest = await readManifest(join(directory, manifestFile(name)))
  const md5 = await readSum(join(directory, sumFile(name)))
  // A file that another program has written since then has a checksum of its own only.
  const isOwn = manifest.md5 === md5 && manifest.size === size && manifest.sha256 !== undefined
  return { size, ...(isOwn && { sha256: manifest.sha256 }), ...(md5 !== undefined && { md5 }) }
}

async function readManifest(path: string): Promise<Partial<ImageDescription>> {
  const text = await readFile(path, 'utf8').catch(error => {
    if (isNotFound(error)) return '{}'
    throw error
  })
  return JSON.parse(text)
}

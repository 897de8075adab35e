// The names of the files of an image and of its versions, and how all files of one are moved together.
import { renameSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isNotFound } from '../system/fs-errors.ts'

/** What the tools of the family write next to `<name>.img`; `.full.sum` is the MD5 of the whole file. */
const besides = ['.sum', '.full.sum', '.torrent', '.info'] as const

/** The image's own file comes last: where it is, the others are too. */
const endings = [...besides.map(ending => `.img${ending}`), '.img'] as const

export const imageFile = (name: string): string => `${name}.img`
export const sumFile = (name: string): string => `${name}.img.full.sum`
export const versionName = (name: string, version: number): string => `${name}.v${version}`

const versionPattern = /^(.+)\.v([1-9]\d{0,8})$/

/** The image and the number that the name of a version consists of; undefined for any other name. */
export function parseVersion(name: string): { image: string; version: number } | undefined {
  const [, image, digits] = versionPattern.exec(name) ?? []
  return image === undefined ? undefined : { image, version: Number(digits) }
}

/**
 * Renames all files of an image that exist, in one tick, because an agent is about to write them; returns how many.
 * Throws the system's error; what was renamed then has its old name again.
 */
export function moveFiles(from: { folder: string; name: string }, to: { folder: string; name: string }): number {
  const moved: [string, string][] = []
  try {
    for (const ending of endings) {
      const [before, after] = [join(from.folder, from.name + ending), join(to.folder, to.name + ending)]
      if (!tryRename(before, after)) continue
      moved.push([before, after])
    }
    return moved.length
  } catch (error) {
    for (const [before, after] of moved) tryRename(after, before)
    throw error
  }
}

function tryRename(before: string, after: string): boolean {
  try {
    renameSync(before, after)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

/** The names of images, versions included, among the names of files. */
export const imageNames = (files: readonly string[]): string[] =>
  files.flatMap(file => (file.endsWith('.img') ? [file.slice(0, -'.img'.length)] : []))

/** The numbers of an image's versions among the names of images. */
export function versionsOf(name: string, names: readonly string[]): number[] {
  return names.flatMap(each => {
    const parsed = parseVersion(each)
    return parsed?.image === name ? [parsed.version] : []
  })
}

/** Bytes of all files of an image. */
export async function sizeOfFiles(folder: string, name: string): Promise<number> {
  const sizes = endings.map(ending =>
    stat(join(folder, name + ending)).then(
      ({ size }) => size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** The paths that the files of an image can have. */
export const pathsOf = (folder: string, name: string): string[] => endings.map(ending => join(folder, name + ending))

// The files of images and their older versions in the repository's folder.
import type { Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { ImageVersion } from '../contract/services.ts'
import type { Checks } from './checks.ts'
import { imageNames, parseVersion, versionName, versionsOf } from './file-names.ts'
import { describe, statsOf } from './repository.ts'

/** The files of all images in the folder, by the image's name. */
export async function readFolder(directory: string): Promise<Map<string, Stats>> {
  const names = imageNames(await readdir(directory))
  const files = await Promise.all(names.map(async name => [name, await statsOf(directory, name)] as const))
  return new Map(files.flatMap(([name, stats]) => (stats ? [[name, stats] as const] : [])))
}

/** The files of these images, with those of their older versions. */
export function describeFiles(files: Map<string, Stats>, names: readonly string[], checks: Checks) {
  const isRecord = new Set(names)
  const describeFile = (name: string, stats: Stats) => ({
    ...describe(stats),
    check: checks.stateOf(name, { size: stats.size, modified: stats.mtimeMs }),
  })
  const versions = new Map<string, ImageVersion[]>()
  for (const [name, stats] of files) {
    const parsed = parseVersion(name)
    if (!parsed || isRecord.has(name) || !isRecord.has(parsed.image)) continue
    const list = versions.get(parsed.image) ?? []
    versions.set(parsed.image, [...list, { name, version: parsed.version, ...describeFile(name, stats) }])
  }
  return new Map(
    names.flatMap(name => {
      const stats = files.get(name)
      const older = (versions.get(name) ?? []).sort((a, b) => b.version - a.version)
      return stats ? [[name, { ...describeFile(name, stats), versions: older }] as const] : []
    }),
  )
}

/** The names of an image's versions, newest first; an image with a record of its own is none. */
export async function olderVersions(directory: string, name: string, records: readonly string[]): Promise<string[]> {
  const numbers = versionsOf(name, imageNames(await readdir(directory))).sort((a, b) => b - a)
  return numbers.map(number => versionName(name, number)).filter(each => !records.includes(each))
}

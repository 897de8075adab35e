// The image repository: the files of images in a folder of this server, how they are moved, and the disk that holds them.
import { readdirSync, renameSync, type Stats } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { unusableFolder } from '../config/options.ts'
import type { ImageFile, RepositoryService } from '../contract/services.ts'
import { CoalescedRead } from '../system/coalesced-read.ts'
import { isNotFound, makePublicFolder } from '../system/file-system.ts'

/**
 * The files of an image: its own, and what the tools of the family write next to it; `.full.sum` is the MD5 of the whole
 * file, and `.img.json` describes one of a live system of this server. Its own comes last: where it is, the others are too.
 */
const endings = ['.img.sum', '.img.full.sum', '.img.torrent', '.img.info', '.img.json', '.img'] as const

/** Linux limits a file name to 255 bytes; `.img` takes four. */
const nameBytes = 251

/** The folder of the daemon's own files, in that of the images. */
const daemonFolder = '.fleet-host'

export const daemonFile = (directory: string, name: string): string => join(directory, daemonFolder, name)
export const imageFile = (name: string): string => `${name}.img`
export const sumFile = (name: string): string => `${name}.img.full.sum`
/** Describes an image that a live system of this server has made. */
export const manifestFile = (name: string): string => `${name}.img.json`
export const versionName = (name: string, version: number): string => `${name}.v${version}`

export const pathsOf = (folder: string, name: string): string[] => endings.map(ending => join(folder, name + ending))

export const isImageName = (name: string): boolean =>
  !/[/\\\0]/.test(name) && !['', '.', '..'].includes(name) && Buffer.byteLength(name) <= nameBytes

/** The name of the image that a payload means in the folder of this server, whose address it names. */
export function localName(payload: unknown, address: string): string | undefined {
  if (!(payload instanceof Object && 'name' in payload && 'repository' in payload)) return undefined
  return payload.repository === address && typeof payload.name === 'string' ? payload.name : undefined
}

const versionPattern = /^(.+)\.v([1-9]\d{0,8})$/

/** The image and the number that the name of a version consists of; undefined for any other name. */
export function parseVersion(name: string): { image: string; version: number } | undefined {
  const [, image, digits] = versionPattern.exec(name) ?? []
  return image === undefined ? undefined : { image, version: Number(digits) }
}

const imageNames = (files: readonly string[]): string[] =>
  files.flatMap(file => (file.endsWith('.img') ? [file.slice(0, -'.img'.length)] : []))

/** The numbers of an image's versions, the newest first. */
function versionsOf(folder: string, name: string): number[] {
  const parsed = imageNames(readdirSync(folder)).map(parseVersion)
  return parsed.flatMap(each => (each?.image === name ? [each.version] : [])).sort((one, other) => other - one)
}

export const nextVersion = (folder: string, name: string): number => 1 + (versionsOf(folder, name)[0] ?? 0)

/** The names of an image's versions, newest first; an image with a record of its own is none. */
export const olderVersions = (folder: string, name: string, records: readonly string[]): string[] =>
  versionsOf(folder, name)
    .map(version => versionName(name, version))
    .filter(each => !records.includes(each))

/** Of the file of an image, undefined when it does not exist or is not a regular file. */
export async function statsOf(folder: string, name: string): Promise<Stats | undefined> {
  const stats = await stat(join(folder, imageFile(name))).catch(error => {
    if (isNotFound(error, ['ELOOP', 'ENAMETOOLONG'])) return undefined
    throw error
  })
  return stats?.isFile() ? stats : undefined
}

export async function readFolder(folder: string): Promise<Map<string, Stats>> {
  const names = imageNames(await readdir(folder))
  const files = await Promise.all(names.map(async name => [name, await statsOf(folder, name)] as const))
  return new Map(files.flatMap(([name, stats]) => (stats ? [[name, stats] as const] : [])))
}

export async function sizeOfFiles(folder: string, name: string): Promise<number> {
  const stats = await Promise.all(pathsOf(folder, name).map(path => stat(path).catch(() => undefined)))
  return stats.reduce((sum, file) => sum + (file?.size ?? 0), 0)
}

/**
 * Renames all files of an image that exist, in one tick, because an agent is about to write them; returns how many.
 * Throws the system's error; what was renamed then has its old name again.
 */
export function moveFiles(from: { folder: string; name: string }, to: { folder: string; name: string }): number {
  const [paths, newPaths] = [pathsOf(from.folder, from.name), pathsOf(to.folder, to.name)]
  const moved: number[] = []
  try {
    for (const index of paths.keys()) if (tryRename(paths[index], newPaths[index])) moved.push(index)
    return moved.length
  } catch (error) {
    for (const index of moved) tryRename(newPaths[index], paths[index])
    throw error
  }
}

/** False when there is no such file. */
function tryRename(before = '', after = ''): boolean {
  try {
    renameSync(before, after)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

/** Local time in the format of C's `ctime`, the day padded with a space: `Fri Nov  6 09:05:00 2026`. */
function ctime(time: Date): string {
  const [weekday, month, day, year, clock] = time.toString().split(' ')
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${clock} ${year}`
}

export const describe = ({ size, mtime, mode }: Stats): ImageFile => ({
  size,
  modified: ctime(mtime),
  permissions: (mode & 0o777).toString(8),
})

/** `address` is the address of this server. Creates the directory; throws an OptionsError when that fails. */
export function openRepository(directory: string, address: string): RepositoryService {
  try {
    makePublicFolder(directory)
  } catch (error) {
    throw unusableFolder('repository.directory', directory, error)
  }
  const disk = new CoalescedRead(async () => {
    const { bsize, blocks, bavail } = await statfs(directory)
    return { total: bsize * blocks, free: bsize * bavail }
  })
  return {
    address,
    isValidName: isImageName,
    async file(name) {
      const stats = await statsOf(directory, name)
      return stats && describe(stats)
    },
    disk: () => disk.get(),
  }
}

// The packs in the folders of a site: a new one is put into the first folder as a whole.
import { existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { message } from '../../log/log.ts'
import { digestOf, readPackFiles } from '../../modules/pack-files.ts'
import { readLock, updateLock } from '../../modules/pack-lock.ts'
import { makePublicFolder, writePublicFile } from '../../system/file-system.ts'
import { CliError, usageError } from '../cli-error.ts'
import { builtInFolder } from '../installation.ts'

const endings = ['ts', 'mts', 'js', 'mjs']

/** A pack that is there: the folder of it, in one of the site's. */
export function findSitePack(folders: readonly string[], name: string, where: string): string {
  const found = folders.map(folder => join(folder, name)).find(isPackFolder)
  if (found !== undefined && /^[a-z0-9-]+$/.test(name)) return found
  throw new CliError(`${where}: expected a pack in ${folders.join(' or ') || 'the folders of --config'}, got ${name}`)
}

const isPackFolder = (folder: string) => endings.some(ending => existsSync(join(folder, `pack.${ending}`)))

/** The folder for new packs, whose pack.lock can be written. */
export function firstFolder([folder]: readonly string[], where: string): string {
  if (folder === undefined)
    throw usageError(`${where}: --config: expected options with folders in "commands", got none`)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CliError(`${where}: ${folder}: expected a folder, got none`)
  readLock(folder)
  return folder
}

/** What has the name of a pack already, other than the folder that it may replace. */
export function ownerOf(name: string, folders: readonly string[], replaced?: string): string | undefined {
  const inFolder = (folder: string) =>
    [name, ...endings.map(ending => `${name}.${ending}`)].map(one => join(folder, one))
  const places = [...folders, builtInFolder, join(builtInFolder, 'packs')].flatMap(inFolder)
  return places.find(place => place !== replaced && existsSync(place))
}

/** Writes the files into a new hidden folder in `folder`, which a daemon does not look into. Returns the pack's. */
export function unpack(folder: string, pack: string, files: ReadonlyMap<string, Buffer>): string {
  const target = join(mkdtempSync(join(folder, '.add-')), pack)
  try {
    for (const [path, content] of files) {
      makePublicFolder(dirname(join(target, path)))
      writePublicFile(join(target, path), content)
    }
    return target
  } catch (error) {
    discard(target)
    throw error
  }
}

/** Deletes what `unpack` has made. */
export const discard = (unpacked: string): void => rmSync(dirname(unpacked), { recursive: true, force: true })

/** Puts an unpacked pack into the place of `target`, and of a pack that is there, which stays until then. */
export function swapIn(unpacked: string, target: string): void {
  const old = join(dirname(unpacked), 'old')
  const hasOld = existsSync(target)
  if (hasOld) renameSync(target, old)
  try {
    renameSync(unpacked, target)
  } catch (error) {
    if (hasOld) renameSync(old, target)
    throw error
  }
}

/** Writes the digest that the pack's folder has now into pack.lock. */
export async function lockPack(folder: string, name: string, version: string): Promise<void> {
  updateLock(dirname(folder), name, { version, digest: digestOf(await readPackFiles(folder)) })
}

/** Takes the folder away by one rename before it deletes it, and the entry in pack.lock. */
export function removePack(folder: string, name: string): void {
  const gone = join(mkdtempSync(join(dirname(folder), '.remove-')), name)
  renameSync(folder, gone)
  discard(gone)
  updateLock(dirname(folder), name, undefined)
}

/** Runs one step on the files of an installation, of which an error is one line. */
export async function orOneLine<Result>(where: string, work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(`${where}: ${message(error)}`)
  }
}

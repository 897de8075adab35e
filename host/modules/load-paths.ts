// Loads the module files of paths as the daemon does, together with the built-in ones, for programs that check them.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { message } from '../log/log.ts'
import { resolveConflicts } from './conflicts.ts'
import { FolderLists } from './folder-lists.ts'
import { type FoundFile, isModuleFile, listModuleFiles, placeOf } from './module-files.ts'
import { TrackedFile } from './tracked-file.ts'

/** `files`: those of the paths. `problems`: of paths that are no module file or folder. */
export async function loadPaths(paths: readonly string[], builtInFolder: string) {
  const problems: string[] = []
  const asked = new Map<string, FoundFile>()
  for (const path of paths) {
    try {
      for (const found of await listPath(path, problems)) asked.set(found.file, found)
    } catch (error) {
      problems.push(message(error))
    }
  }
  // Their routes and names are taken. A file of a pack is nothing without the pack's own.
  const others = [...(await listBuiltIn(builtInFolder, problems)), ...packFilesOf([...asked.values()])]
  const tracked: TrackedFile[] = []
  for (const found of [...others.filter(({ file }) => !asked.has(file)), ...asked.values()]) {
    const origin = found.file.startsWith(`${builtInFolder}/`) ? 'built-in' : 'site'
    const next = new TrackedFile({ ...found, origin, sequence: tracked.length, pass: 0 })
    await next.load()
    tracked.push(next)
  }
  for (const [file, resolution] of resolveConflicts(tracked)) file.resolve(resolution)
  return { files: tracked.filter(({ file }) => asked.has(file)), problems }
}

/** A path is a module file, a command folder with the packs in it, or the folder of a pack. */
async function listPath(path: string, problems: string[]): Promise<FoundFile[]> {
  const absolute = realpathSync(resolve(path))
  if (statSync(absolute).isDirectory()) {
    if (packFileIn(absolute) === undefined) return listFolders([absolute], problems)
    const listing = await listModuleFiles(absolute)
    if ('problem' in listing) throw new Error(`${path}: ${listing.problem}`)
    return listing.files.map(file => ({ file, origin: 'site', isInPack: true }))
  }
  if (!isModuleFile(basename(absolute)))
    throw new Error(`${path}: not a module file (.ts, .mts, .js, .mjs; names with _ or . in front are none)`)
  return [{ file: absolute, origin: 'site', isInPack: packFileIn(dirname(absolute)) !== undefined }]
}

const listFolders = (paths: readonly string[], problems: string[]) =>
  new FolderLists(
    paths.map(path => ({ path, origin: 'site' })),
    { warn: (_, text) => problems.push(text) },
  ).list([])

const listBuiltIn = (folder: string, problems: string[]) => listFolders([folder, join(folder, 'packs')], problems)

const packFilesOf = (files: readonly FoundFile[]): FoundFile[] =>
  files.flatMap(({ file, origin, isInPack }) => {
    const packFile = isInPack && !placeOf(file, true).isPackFile ? packFileIn(dirname(file)) : undefined
    return packFile === undefined ? [] : [{ file: packFile, origin, isInPack: true }]
  })

const packFileIn = (folder: string): string | undefined =>
  ['ts', 'mts', 'js', 'mjs'].map(extension => join(folder, `pack.${extension}`)).find(existsSync)

// The folder of the live systems that were built on this server: one name for each, and one for the default.
import { randomUUID } from 'node:crypto'
import { readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isNotFound } from '../system/file-system.ts'
import { lockFolder } from './folder-lock.ts'

export interface LiveFile {
  /** Bytes. */
  size: number
  sha256: string
}

/** The names of the files, of which a computer loads one after the other. */
export const liveFiles = ['vmlinuz', 'initrd', 'root.squashfs'] as const

/** `manifest.json` of a live system. */
export interface LiveManifest {
  name: string
  /** ISO time of the end of the build. */
  built: string
  distribution: string
  /** The release of its kernel: `6.1.0-44-amd64`. */
  kernel: string
  architecture: string
  /** Of the program that runs the agent: `v20.20.2`. */
  node: string
  /** The agent's name and version. */
  agent: string
  files: Record<(typeof liveFiles)[number], LiveFile>
  /** The installed packages and their versions. */
  packages: Record<string, string>
}

/**
 * The live system of computers that have no other one: the records of new computers have this name. Here it is a link to
 * the default one.
 */
export const defaultLiveName = 'ogLive'

/** In the folder of each. */
export const manifestFile = 'manifest.json'

/** Characters without a meaning in boot files; names with a dot in front are builds. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export const liveFolderOf = (dataFolder: string): string => join(dataFolder, 'live')

/** Also true for the name of the default one. */
export const isLiveName = (name: string): boolean => namePattern.test(name)

/** Throws for a name that cannot be that of a live system. */
export function checkLiveName(name: string): void {
  if (!isLiveName(name))
    throw new Error(`NAME: expected letters, digits, ".", "_" and "-", got ${JSON.stringify(name)}`)
  if (name === defaultLiveName) throw new Error(`NAME: expected another one than ${name}, which means the default`)
}

export interface LiveSystem extends LiveManifest {
  isDefault: boolean
}

/** Sorted by name. Rejects when a manifest cannot be read. */
export async function listLiveSystems(folder: string): Promise<LiveSystem[]> {
  const names = (await readdir(folder).catch(ignoreNotFound)) ?? []
  const ofDefault = await readlink(join(folder, defaultLiveName)).catch(ignoreNotFound)
  const systems = await Promise.all(
    names
      .filter(name => !name.startsWith('.') && name !== defaultLiveName)
      .sort()
      .map(async name => {
        const manifest = await readManifest(folder, name)
        return manifest && { ...manifest, isDefault: name === ofDefault }
      }),
  )
  return systems.filter(system => system !== undefined)
}

/** Undefined for what is no live system, or is just being deleted. */
async function readManifest(folder: string, name: string): Promise<LiveManifest | undefined> {
  const file = join(folder, name, manifestFile)
  const text = await readFile(file, 'utf8').catch(ignoreNotFound)
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    throw new Error(`${file}: expected JSON, got ${JSON.stringify(text?.slice(0, 80))}`)
  }
}

/**
 * Puts a finished build, a folder, in the place of the live system of that name, at once. The first one becomes the
 * default.
 */
export async function publishBuild(folder: string, name: string, build: string): Promise<void> {
  const published = `.${name}-${randomUUID()}`
  await rename(build, join(folder, published))
  await replaceLink(folder, name, published)
  const ofDefault = await readlink(join(folder, defaultLiveName)).catch(ignoreNotFound)
  if (ofDefault === undefined) await setDefaultLiveSystem(folder, name)
  await removeUnused(folder)
}

/** Deletes builds that have been replaced, and what is left of those that were interrupted. */
export async function removeUnused(folder: string): Promise<void> {
  const names = await readdir(folder)
  const used = await Promise.all(names.map(name => readlink(join(folder, name)).catch(ignoreNotFound)))
  const unused = names.filter(name => name.startsWith('.') && !used.includes(name))
  for (const name of unused) await rm(join(folder, name), { recursive: true, force: true })
}

/** Rejects when there is none of that name, and while one is being built. */
export const chooseLiveSystem = (folder: string, name: string): Promise<void> =>
  locked(folder, () => setDefaultLiveSystem(folder, name))

async function setDefaultLiveSystem(folder: string, name: string): Promise<void> {
  await findLiveSystem(folder, name)
  await replaceLink(folder, defaultLiveName, name)
}

/** The default one can be deleted only as the last one, and none while one is being built. */
export const deleteLiveSystem = (folder: string, name: string): Promise<void> =>
  locked(folder, () => deleteFiles(folder, name))

async function locked(folder: string, change: () => Promise<void>): Promise<void> {
  const lock = await lockFolder(folder)
  try {
    await change()
  } finally {
    lock.close()
  }
}

async function deleteFiles(folder: string, name: string): Promise<void> {
  const { isDefault, others } = await findLiveSystem(folder, name)
  if (isDefault && others.length > 0)
    throw new Error(`${name} is the default: choose another one before, such as fleet live default ${others[0]?.name}`)
  if (isDefault) await rm(join(folder, defaultLiveName))
  await rm(join(folder, name))
  await removeUnused(folder)
}

async function findLiveSystem(folder: string, name: string) {
  const systems = await listLiveSystems(folder)
  const system = systems.find(system => system.name === name)
  if (system) return { ...system, others: systems.filter(other => other !== system) }
  const names = systems.map(({ name }) => name).join(', ')
  throw new Error(`NAME: expected ${names || 'a live system, but none was built'}, got ${JSON.stringify(name)}`)
}

/** At once, whether there is one or not. */
export async function replaceLink(folder: string, name: string, target: string): Promise<void> {
  const unfinished = join(folder, `.${name}.link`)
  await rm(unfinished, { force: true })
  await symlink(target, unfinished)
  await rename(unfinished, join(folder, name))
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error, ['ENOTDIR', 'EINVAL'])) throw error
}

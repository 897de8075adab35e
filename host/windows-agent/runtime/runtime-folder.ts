// The folder with the versions of Node for Windows that were added to this server. Computers get the newest one.
import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDataFolder, isNotFound } from '../../system/file-system.ts'
import { longestPackage, readNodePackage } from './node-package.ts'

/** `manifest.json` of a version. */
export interface Runtime {
  version: string
  /** Of node.exe, 64 hex digits in lower case. */
  sha256: string
  /** Bytes of node.exe. */
  size: number
  /** ISO time. */
  added: string
}

const folderOf = (dataFolder: string): string => join(dataFolder, 'agent-runtime')

// The daemon may be another user than the one who adds a version.
const [folderMode, fileMode] = [0o755, 0o644]

/** The newest version first. Rejects when a manifest cannot be read. */
export async function listRuntimes(dataFolder: string): Promise<Runtime[]> {
  const folder = folderOf(dataFolder)
  const names = await readdir(folder).catch((error: unknown) => {
    if (isNotFound(error)) return []
    throw error
  })
  const versions = names.filter(name => /^\d/.test(name)).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  return Promise.all(versions.map(version => readManifest(join(folder, version, 'manifest.json'))))
}

async function readManifest(file: string): Promise<Runtime> {
  const text = await readFile(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${file}: expected JSON, got ${JSON.stringify(text.slice(0, 80))}`)
  }
}

export const runtimeFile = (dataFolder: string, { version }: Runtime): string =>
  join(folderOf(dataFolder), version, 'node.exe')

/** `file`: the package of npm. Rejects for one that is there with other contents. */
export async function addRuntime(dataFolder: string, file: string): Promise<Runtime> {
  const { size: packed } = await stat(file)
  if (packed > longestPackage) throw new Error(`expected at most ${longestPackage} bytes, got ${packed}`)
  const { version, program, license } = await readNodePackage(await readFile(file))
  const sha256 = createHash('sha256').update(program).digest('hex')
  const present = (await listRuntimes(dataFolder)).find(each => each.version === version)
  if (present?.sha256 === sha256) return present
  if (present)
    throw new Error(`${version} is there with the SHA-256 ${present.sha256}, not ${sha256}: delete it before`)
  const runtime = { version, sha256, size: program.length, added: new Date().toISOString() }
  const manifest = `${JSON.stringify(runtime, null, 2)}\n`
  await publish(folderOf(dataFolder), version, {
    'node.exe': program,
    'manifest.json': manifest,
    ...(license && { LICENSE: license }),
  })
  return runtime
}

/** At once: whoever lists the versions meanwhile has it with all files, or not. */
async function publish(folder: string, version: string, files: Record<string, string | Buffer>): Promise<void> {
  const unfinished = join(folder, `.${randomUUID()}`)
  createDataFolder(dirname(folder))
  await mkdir(unfinished, { recursive: true })
  try {
    // Whatever the umask is.
    for (const each of [folder, unfinished]) await chmod(each, folderMode)
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(unfinished, name), content)
      await chmod(join(unfinished, name), fileMode)
    }
    await rename(unfinished, join(folder, version))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

/** Rejects when it is not there. */
export async function deleteRuntime(dataFolder: string, version: string): Promise<void> {
  const versions = (await listRuntimes(dataFolder)).map(each => each.version)
  if (!versions.includes(version))
    throw new Error(`VERSION: expected ${versions.join(', ') || 'one that was added, but none was'}, got ${version}`)
  const unused = join(folderOf(dataFolder), `.${randomUUID()}`)
  await rename(join(folderOf(dataFolder), version), unused)
  await rm(unused, { recursive: true, force: true })
}

// Builds a live system from Debian's packages: a root folder, from it a kernel, an initial file system and an image.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, chown, copyFile, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makePublicFolder } from '../system/file-system.ts'
import { version } from '../system/version.ts'
import { addAgent } from './agent-files.ts'
import { tellBuild } from './build-state.ts'
import { lockFolder } from './folder-lock.ts'
import {
  checkLiveName,
  type LiveFile,
  type LiveManifest,
  liveFiles,
  manifestFile,
  publishBuild,
  removeUnused,
} from './live-folder.ts'
import {
  architecture,
  checkPackages,
  createPackageCount,
  distribution,
  installedPackages,
  rootArguments,
} from './root-packages.ts'
import { requirePrograms, runProgram } from './run-program.ts'

export interface BuildRequest {
  /** That of all live systems, in the data folder. */
  folder: string
  name: string
  packages: readonly string[]
  archive: string | undefined
  keepFirmware: boolean
  /** The program of the agent. */
  agent: string
  signal: AbortSignal
  /** `percent` of the build; the last line of a program. */
  onProgress(percent: number, line: string): void
}

const packageOf = {
  mmdebstrap: 'mmdebstrap',
  mksquashfs: 'squashfs-tools',
  setpriv: 'util-linux',
  unshare: 'util-linux',
}

/** Rejects when it fails or is interrupted; then the last live system of that name is as before. */
export async function buildLiveSystem(asked: BuildRequest): Promise<LiveManifest> {
  const { folder, name } = asked
  checkLiveName(name)
  checkPackages(asked.packages)
  if (process.getuid?.() !== 0) throw new Error('expected root, who alone can install packages into a folder')
  requirePrograms(packageOf)
  const owner = await ownerOf(dirname(folder))
  const lock = await lockFolder(folder)
  const work = join(folder, `.${name}.unfinished`)
  const state = tellBuild(folder, name)
  const onProgress = (percent: number, line: string) => {
    state.update(percent, line)
    asked.onProgress(percent, line)
  }
  const request = { ...asked, onProgress }
  try {
    makePublicFolder(folder)
    await removeUnused(folder)
    await makeRoot(join(work, 'root'), request)
    const manifest = await makeFiles(work, request)
    await giveTo(owner, folder, work)
    await publishBuild(folder, name, join(work, 'build'))
    return manifest
  } finally {
    await state.close()
    await rm(work, { recursive: true, force: true })
    lock.close()
  }
}

interface Owner {
  uid: number
  gid: number
}

/** Of the data folder. A daemon creates it, so that it belongs to the daemon's user. */
async function ownerOf(dataFolder: string): Promise<Owner> {
  const stats = await stat(dataFolder).catch(() => undefined)
  if (stats?.isDirectory()) return stats
  throw new Error(`${dataFolder}: expected the data folder of a daemon, got none: start the daemon once before`)
}

const percentOfRoot = 90

async function makeRoot(root: string, request: BuildRequest): Promise<void> {
  await mkdir(root, { recursive: true })
  const count = createPackageCount(request.packages.length)
  await runProgram('mmdebstrap', rootArguments(request, root), {
    signal: request.signal,
    onLine: line => request.onProgress(count(line) * percentOfRoot, line),
  })
  await addAgent(root, request.agent)
}

async function makeFiles(work: string, { name, signal, onProgress }: BuildRequest): Promise<LiveManifest> {
  const [root, build] = [join(work, 'root'), join(work, 'build')]
  await mkdir(build)
  const kernel = await kernelOf(root)
  await copyFile(join(root, `boot/vmlinuz-${kernel}`), join(build, 'vmlinuz'))
  await copyFile(join(root, `boot/initrd.img-${kernel}`), join(build, 'initrd'))
  onProgress(percentOfRoot, 'compressing the files')
  const compression = ['-comp', 'zstd', '-Xcompression-level', '9', '-no-progress', '-noappend']
  await runProgram('mksquashfs', [root, join(build, 'root.squashfs'), ...compression, '-e', 'boot'], { signal })
  const files = await Promise.all(liveFiles.map(async file => [file, await describeFile(join(build, file))]))
  const manifest: LiveManifest = {
    name,
    built: new Date().toISOString(),
    distribution,
    kernel,
    architecture,
    node: process.version,
    agent: `fleet-agent ${version}`,
    files: Object.fromEntries(files),
    packages: await installedPackages(root),
  }
  await writeFile(join(build, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/** The release of the kernel that the packages have installed. */
async function kernelOf(root: string): Promise<string> {
  const kernels = (await readdir(join(root, 'boot'))).flatMap(name => /^vmlinuz-(.+)$/.exec(name)?.[1] ?? [])
  const [kernel] = kernels
  if (kernel === undefined || kernels.length > 1)
    throw new Error(`--packages: expected one kernel, got ${kernels.join(', ') || 'none'}`)
  return kernel
}

async function describeFile(path: string): Promise<LiveFile> {
  const hash = createHash('sha256')
  for await (const slice of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(slice)
  return { size: (await stat(path)).size, sha256: hash.digest('hex') }
}

/** The files are on the disk before they are published. */
async function giveTo({ uid, gid }: Owner, folder: string, work: string): Promise<void> {
  const build = join(work, 'build')
  await chown(folder, uid, gid)
  await chown(build, uid, gid)
  await chmod(build, 0o755)
  for (const name of [...liveFiles, manifestFile]) {
    const file = await open(join(build, name), 'r')
    await file.chown(uid, gid)
    await file.chmod(0o644)
    await file.sync()
    await file.close()
  }
}

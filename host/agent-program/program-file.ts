// The file that this program was started from, and the new one in the same folder that is tried and replaces it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** Set by the bundle; the sources have none. */
declare const AGENT_VERSION: string | undefined

const agentVersion = typeof AGENT_VERSION === 'string' ? AGENT_VERSION : 'source'

export const agentName = `fleet-agent ${agentVersion}`

interface ProgramFile {
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
  // Windows does not open folders.
  if (process.platform === 'win32') return
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

/** Set for a program on trial. */
const variable = 'FLEET_AGENT_TRIAL'

/**
 * Resolves to the reason when the program fails: when it ends, does not execute a request in time, or does so with another
 * status than 200. Its process has ended then, in any case.
 */
export async function runTrial(file: string, seconds: number): Promise<string | undefined> {
  const child = spawn(process.execPath, [...process.execArgv, file, ...process.argv.slice(2)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [variable]: '1' },
  })
  let timer: NodeJS.Timeout | undefined
  const problem = await new Promise<string | undefined>(resolve => {
    child.on('message', status => resolve(status === 200 ? undefined : `it replied ${status} to its first request`))
    child.on('error', ({ message }) => resolve(message))
    child.on('exit', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`}`))
    timer = setTimeout(resolve, seconds * 1000, `it did not connect and execute a request in ${seconds} s`)
  })
  clearTimeout(timer)
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  return problem
}

/**
 * For a program on trial: a function that reports the status of its first reply, which the daemon does not get. What the
 * daemon sends next is for the program that stays. Undefined for any other program.
 */
export function trialReport(): ((status: number) => void) | undefined {
  const isOnTrial = process.env[variable] === '1' && process.send !== undefined
  // Not for the scripts of the daemon.
  delete process.env[variable]
  if (!isOnTrial) return undefined
  process.once('disconnect', () => process.exit(0))
  return status => void process.send?.(status)
}

// What a running build says of itself to the daemon, which is another process: a file that is written every second, so
// that one that was killed is not taken for a running one.
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isNotFound } from '../system/file-system.ts'

export interface BuildState {
  /** Of the live system. */
  name: string
  percent: number
  /** What it does. */
  line: string
}

const stateFile = '.building.json'

/** Milliseconds between two writes, and after which there will be no other one. */
const [writeTime, staleTime] = [1000, 15_000]

/** To be closed. A folder that cannot be written fails the build elsewhere. */
export function tellBuild(folder: string, name: string) {
  const path = join(folder, stateFile)
  let state: BuildState = { name, percent: 0, line: '' }
  let writing = Promise.resolve()
  const write = async () => {
    await writeFile(`${path}.unfinished`, JSON.stringify(state), { mode: 0o644 })
    await rename(`${path}.unfinished`, path)
  }
  const timer = setInterval(() => {
    writing = writing.then(write).catch(() => {})
  }, writeTime)
  return {
    update(percent: number, line: string): void {
      state = { name, percent: Math.floor(percent), line }
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await writing
      await rm(path, { force: true })
    },
  }
}

/** Undefined when none is running. */
export async function readBuild(folder: string): Promise<BuildState | undefined> {
  const path = join(folder, stateFile)
  try {
    const { mtimeMs } = await stat(path)
    // Also of a file that is of the future, as the clock was set back.
    if (Math.abs(Date.now() - mtimeMs) > staleTime) return undefined
    // `as`: written by `tellBuild`.
    return JSON.parse(await readFile(path, 'utf8')) as BuildState
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

// Runs test files one after the other: in a process that is kept for the next file, or in one of the file's own.
import { spawn } from 'node:child_process'
import { relative } from 'node:path'
import { isBundled, nodeArguments, root } from './bundled-file.ts'
import { secondsOfEndedChildren } from './cpu-time.ts'
import { type EndedFile, KeptProcess } from './reused-process.ts'
import type { Run } from './runs.ts'

/** Only a file that never ends takes so long, on any machine. */
const fileMilliseconds = 600_000

/** A process whose files have ended has nothing more to do. */
const endMilliseconds = 30_000

export class FileRunner {
  /** What went wrong after the files of a process had ended, with their names. */
  readonly problems: string[] = []
  #kept: KeptProcess | undefined

  async run({ file, environment, declared }: Run, milliseconds = fileMilliseconds): Promise<EndedFile> {
    if (declared.alone || !isBundled(file)) return runAlone(file, environment, milliseconds)
    if (!this.#kept?.canRun(environment)) await this.end()
    this.#kept ??= new KeptProcess(environment)
    return this.#kept.run(file, milliseconds)
  }

  /** Ends the kept process. */
  async end(milliseconds = endMilliseconds): Promise<void> {
    const kept = this.#kept
    this.#kept = undefined
    const problem = await kept?.end(milliseconds)
    if (kept && problem !== undefined) {
      this.problems.push(`${problem}after ${kept.files.map(file => relative(root, file)).join(', ')}`)
    }
  }
}

function runAlone(file: string, environment: Record<string, string>, milliseconds: number): Promise<EndedFile> {
  const child = spawn(process.execPath, nodeArguments(file), { env: { ...process.env, ...environment, NO_COLOR: '1' } })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const timer = setTimeout(() => {
    output += `\nkilled after ${milliseconds / 1000} s\n`
    child.kill('SIGKILL')
  }, milliseconds)
  return new Promise(resolve => {
    let cpu: number | undefined
    child.on('exit', () => {
      cpu = secondsOfEndedChildren()
    })
    child.on('close', code => {
      clearTimeout(timer)
      resolve({ output, code, cpu })
    })
  })
}

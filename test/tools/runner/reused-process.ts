// A process that runs one test file after the other, because it has then loaded the host and its code is fast.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { bundlesVariable, nodeArguments, root } from './bundled-file.ts'
import { secondsOfEndedChildren } from './cpu-time.ts'
import type { FileEnd } from './run-files.ts'

export interface EndedFile {
  output: string
  /** Null after a signal. */
  code: number | null
  /** Seconds of processor time, without those of processes that outlive the file. */
  cpu?: number | undefined
}

/** A process is replaced after so many files, which bounds its memory. */
const mostFiles = 25

/** After a test that failed, which may have left its host running. */
const endMilliseconds = 5000

export class KeptProcess {
  /** The files that it has run, in order. */
  readonly files: string[] = []
  readonly #environment: Record<string, string>
  readonly #child: ChildProcess
  /** In the folder of the bundles, which is deleted also when the run is interrupted. */
  readonly #folder = mkdtempSync(join(process.env[bundlesVariable] ?? tmpdir(), 'reused-process-'))
  /** Both streams of the process: they are complete, and in order, when it tells that a file has ended. */
  readonly #outputFile = join(this.#folder, 'output')
  readonly #ended: Promise<number | null>
  #hasEnded = false
  #outputSize = 0
  /** The process ended while it ran a file, which counts as the end of that file. */
  #endedInFile = false
  #hasFailed = false

  constructor(environment: Record<string, string>) {
    this.#environment = environment
    const output = openSync(this.#outputFile, 'a')
    this.#child = spawn(process.execPath, nodeArguments('test/tools/runner/run-files.ts'), {
      env: { ...process.env, ...environment, NO_COLOR: '1' },
      stdio: ['ignore', output, output, 'ipc'],
    })
    closeSync(output)
    this.#ended = once(this.#child, 'exit').then(([code]) => {
      this.#hasEnded = true
      // Its files have reported theirs.
      secondsOfEndedChildren()
      return code
    })
  }

  canRun(environment: Record<string, string>): boolean {
    return !this.#hasEnded && !this.#hasFailed && this.files.length < mostFiles && environment === this.#environment
  }

  async run(file: string, milliseconds: number): Promise<EndedFile> {
    this.files.push(file)
    const fileEnd = once(this.#child, 'message').then(([end]): FileEnd => end)
    this.#child.send(file, () => {})
    const end = await this.#within(milliseconds, Promise.race([fileEnd, this.#ended.then(code => ({ code }))]))
    this.#endedInFile = this.#hasEnded
    this.#hasFailed ||= end.code !== 0
    return { ...end, output: `${this.#newOutput()}${end.code === 0 ? '' : this.#earlierFiles()}` }
  }

  /** Resolves to a problem: the process ends by itself, unless a test has left a server, a connection or an error. */
  async end(milliseconds: number): Promise<string | undefined> {
    if (this.#child.connected) this.#child.disconnect()
    const code = await this.#within(
      this.#hasFailed ? Math.min(milliseconds, endMilliseconds) : milliseconds,
      this.#ended,
    )
    const output = this.#newOutput()
    rmSync(this.#folder, { recursive: true, force: true })
    if (this.#endedInFile || this.#hasFailed || code === 0) return undefined
    return `${output}\nprocess of tests: expected to end with 0, got ${code ?? 'a signal'} `
  }

  /** For the reader of a failure. */
  #earlierFiles(): string {
    const earlier = this.files.slice(0, -1).map(file => `${relative(root, file)}\n`)
    return earlier.length === 0 ? '' : `Earlier in this process:\n${earlier.join('')}`
  }

  async #within<Result>(milliseconds: number, result: Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => {
      writeFileSync(this.#outputFile, `\nkilled after ${milliseconds / 1000} s\n`, { flag: 'a' })
      this.#child.kill('SIGKILL')
    }, milliseconds)
    return result.finally(() => clearTimeout(timer))
  }

  #newOutput(): string {
    const bytes = readFileSync(this.#outputFile)
    const output = bytes.toString('utf8', this.#outputSize)
    this.#outputSize = bytes.length
    return output
  }
}

// Runs test files of a copy of the repository, until one fails that passes without the change.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A change may make a program wait or run for ever. */
const fileMilliseconds = 120_000
const workers = 2

export class TestProcesses {
  readonly #folder: string
  /** A second copy, which is never changed. */
  readonly #unchanged: string
  /** Whether test files pass without a change. */
  readonly #passing = new Map<string, boolean>()
  readonly #running = new Set<number>()

  /** `folder` has no change yet. */
  constructor(folder: string) {
    this.#folder = folder
    this.#unchanged = mkdtempSync(join(tmpdir(), 'fleet-unchanged-'))
    cpSync(folder, this.#unchanged, { recursive: true, filter: path => !path.endsWith('/node_modules') })
    symlinkSync(join(folder, 'node_modules'), join(this.#unchanged, 'node_modules'))
    process.on('exit', () => {
      this.#stop()
      rmSync(this.#unchanged, { recursive: true, force: true })
    })
  }

  /** Resolves to the test file that noticed the change; undefined when none did. */
  async findFailing(tests: string[]): Promise<string | undefined> {
    const queue = [...tests]
    let failing: string | undefined
    const work = async () => {
      for (let test = queue.shift(); test !== undefined && !failing; test = queue.shift()) {
        const passed = await this.#passes(this.#folder, test)
        if (passed || failing || !(await this.#passesUnchanged(test))) continue
        failing = test
        this.#stop()
      }
    }
    await Promise.all(Array.from({ length: workers }, work))
    return failing
  }

  async #passesUnchanged(test: string): Promise<boolean> {
    const known = this.#passing.get(test)
    if (known !== undefined) return known
    // Twice, as a busy machine may make a test late.
    const passed = (await this.#passes(this.#unchanged, test)) || (await this.#passes(this.#unchanged, test))
    this.#passing.set(test, passed)
    if (!passed) console.log(`${test}: fails without a change too, and is not used`)
    return passed
  }

  #passes(folder: string, test: string): Promise<boolean> {
    // A process group of its own, which ends with the programs that the test has started.
    const child = spawn(process.execPath, ['--import', 'tsx', test], { cwd: folder, detached: true, stdio: 'ignore' })
    const { pid } = child
    if (pid === undefined) throw new Error(`${test}: cannot be started`)
    this.#running.add(pid)
    const timer = setTimeout(() => endGroup(pid), fileMilliseconds)
    return new Promise(resolve => {
      child.on('exit', code => {
        clearTimeout(timer)
        this.#running.delete(pid)
        endGroup(pid)
        resolve(code === 0)
      })
    })
  }

  #stop(): void {
    for (const pid of this.#running) endGroup(pid)
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

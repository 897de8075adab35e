// A copy of the repository in which one change at a time is made and tested.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../harness/source-files.ts'
import type { Change } from './changes.ts'
import { endProcessesWith } from './marked-processes.ts'
import type { TestJob, TestOutcome, TimedTest } from './run-tests.ts'

const copied = ['boot-templates', 'commands', 'docs', 'host', 'stores', 'test', 'package.json', 'tsconfig.json']
const others = ['.ci', '.gitignore', 'biome.json', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package-lock.json']

const marker = 'FLEET_MUTATION'

/** Bundling takes so long on a busy machine. */
const setupMilliseconds = 180_000

export class ChangedCopy {
  /** The path is short, because tests have sockets below it. */
  readonly #base = mkdtempSync(join(tmpdir(), 'fm-'))
  readonly folder = join(this.#base, 'copy')

  constructor() {
    // A database of a test runs as a user of its own.
    chmodSync(this.#base, 0o755)
    for (const name of [...copied, ...others]) cpSync(join(root, name), join(this.folder, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
    process.on('exit', () => {
      endProcessesWith(marker, this.#base)
      removeFolder(this.#base)
    })
  }

  /** Makes the change for the time of `run`. */
  async with<Result>(change: Change, run: () => Result | Promise<Result>): Promise<Result> {
    const path = join(this.folder, change.file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, change.start) + change.after + text.slice(change.end))
    try {
      return await run()
    } finally {
      writeFileSync(path, text)
    }
  }

  /** Resolves to the test file that fails, also when it takes too long; undefined when none does. */
  async findFailing(batches: TimedTest[][]): Promise<string | undefined> {
    const job: TestJob = { commands: join(this.#base, 'commands'), batches }
    const milliseconds = batches.flat().reduce((sum, test) => sum + test.milliseconds, setupMilliseconds) * 2
    const output = await this.run(['test/tools/mutation/run-tests.ts', JSON.stringify(job)], milliseconds)
    const last = output.trimEnd().split('\n').at(-1) ?? ''
    if (!last.startsWith('{')) throw new Error(`run-tests: expected JSON, got ${output.slice(-2000)}`)
    // The last line of run-tests.ts.
    const outcome: TestOutcome = JSON.parse(last)
    return outcome.failing
  }

  /** Runs a program of the copy and resolves to its output. What it has started and what it has stored goes with it. */
  run(program: string[], milliseconds?: number, onOutput?: (text: string) => void): Promise<string> {
    const temporary = join(this.#base, 't')
    mkdirSync(temporary)
    const child = spawn(process.execPath, ['--import', 'tsx', ...program], {
      cwd: this.folder,
      env: { ...process.env, TMPDIR: temporary, [marker]: this.#base },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        onOutput?.(text)
      })
    }
    const timer = milliseconds && setTimeout(() => endProcessesWith(marker, this.#base), milliseconds)
    return new Promise(resolve => {
      child.on('exit', () => {
        clearTimeout(timer)
        endProcessesWith(marker, this.#base)
        removeFolder(temporary)
        resolve(output)
      })
    })
  }
}

/** A test that is killed may leave files that nobody may delete. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    spawnSync('chattr', ['-R', '-i', folder], { stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
}

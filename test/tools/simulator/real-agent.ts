// One agent for Linux of the lab: the real program, as a process of its own with few rights, and what stands for its power button.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentFiles, createAgentFiles, isRoot, nobody } from './agent-files.ts'
import type { Endpoint } from './arguments.ts'
import type { State } from './simulated-computer.ts'

export interface RealAgentDeps {
  /** The folder for the files of all agents. */
  folder: string
  /** The text of the bundled agent. */
  program: string
  /** How many agents there are. */
  count: number
  agents: Endpoint
  print(text: string): void
}

const bootTime = 1_000 // ms
/** Milliseconds from SIGTERM, at which the agent kills its script, to SIGKILL. */
const endTime = 5_000

// Bytes.
const mostData = 1024 ** 3
const largestFile = 1024 ** 3
/** Processes and threads of the user: about 11 threads for each agent, and what scripts start. */
const mostProcesses = (count: number) => 500 + 20 * count

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export class RealAgent {
  readonly spec: { name: string; ip: string }
  state: State = 'off'
  readonly #deps: RealAgentDeps
  readonly #files: AgentFiles
  #timer: NodeJS.Timeout | undefined
  #child: ChildProcess | undefined
  #hasEnded = false

  /** `number` counts from 1. */
  constructor(number: number, deps: RealAgentDeps) {
    this.#deps = deps
    const folder = mkdtempSync(join(deps.folder, 'agent-'))
    this.#files = createAgentFiles(number, folder, deps.program, deps.agents)
    this.spec = this.#files.spec
  }

  boot(after = bootTime): void {
    clearTimeout(this.#timer)
    this.state = 'booting'
    this.#timer = setTimeout(() => this.#start(), after)
  }

  /** Resolves when the process has ended. */
  async end(): Promise<void> {
    this.#hasEnded = true
    clearTimeout(this.#timer)
    const child = this.#child
    if (child?.pid === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), endTime)
    await ended
    clearTimeout(timer)
  }

  #start(): void {
    const { folder, program, config } = this.#files
    const [command = '', ...args] = [...limits(this.#deps.count), process.execPath, program, '--config', config]
    const child = spawn(command, args, {
      cwd: folder,
      // Not the lab's own environment, which may have the token.
      env: { PATH: path, HOME: folder, TMPDIR: folder, LANG: process.env.LANG ?? 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The terminal sends its Ctrl-C to the lab only, which ends the agents.
      detached: true,
      ...(isRoot && { uid: nobody, gid: nobody }),
    })
    this.#child = child
    this.state = 'disconnected'
    const { name } = this.spec
    child.stdout.on('data', chunk => this.#onLog(String(chunk)))
    child.stderr.on('data', chunk => this.#deps.print(`${name}: ${String(chunk).trim()}`))
    child.on('error', error => {
      this.#deps.print(`${name}: ${error.message}`)
      this.#onEnd()
    })
    child.on('exit', () => this.#onEnd())
  }

  #onLog(text: string): void {
    for (const line of text.split('\n')) {
      if (line.includes('error: ')) this.#deps.print(`${this.spec.name}: ${line}`)
      // An installed system runs.
      else if (line.includes('connected to')) this.state = 'in use'
      else if (line.includes('connection lost')) this.state = 'disconnected'
    }
  }

  /** Boots again, as after a restart or a crash, unless it was turned off. */
  #onEnd(): void {
    this.#child = undefined
    this.state = 'off'
    if (this.#hasEnded) return
    const { offFile } = this.#files
    if (existsSync(offFile)) rmSync(offFile)
    else this.boot()
  }
}

/** Scripts get no further rights by programs such as `sudo`, and everything ends with the lab, also when that is killed. */
function limits(count: number): string[] {
  const resources = { data: mostData, fsize: largestFile, core: 0, ...(isRoot && { nproc: mostProcesses(count) }) }
  const options = Object.entries(resources).map(([name, value]) => `--${name}=${value}`)
  return ['setpriv', '--no-new-privs', '--pdeathsig', 'TERM', 'prlimit', ...options]
}

// Agents for Linux of the lab: each is the real program, as a process of its own with few rights and files of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundleAgent } from '../../../host/linux-agent/service.ts'
import type { Endpoint } from './arguments.ts'
import type { State } from './simulated-computer.ts'

interface RealAgentDeps {
  /** The folder for the files of all agents. */
  folder: string
  /** The text of the bundled agent. */
  code: string
  /** How many agents there are. */
  count: number
  agents: Endpoint
  print(text: string): void
}

/** Whether this program may become another user. */
const isRoot = process.getuid?.() === 0
/** The user and group `nobody`: the number is the same on all distributions. */
const nobody = 65_534

const bootTime = 1_000 // ms
/** Milliseconds from SIGTERM, at which the agent kills its script, to SIGKILL. */
const endTime = 5_000
// Bytes.
const mostData = 1024 ** 3
const largestFile = 1024 ** 3
/** Processes and threads of the user: about 11 threads for each agent, and what scripts start. */
const mostProcesses = (count: number) => 500 + 20 * count
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** None of them runs before its `boot`. `print` gets their errors. */
export async function createRealAgents(count: number, agents: Endpoint, print: (text: string) => void) {
  if (count === 0) return { list: [], end: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'fleet-lab-'))
  // For the user of the agents.
  chmodSync(folder, 0o711)
  const deps = { folder, code: await bundleAgent(), count, agents, print }
  const list = Array.from({ length: count }, (_, index) => new RealAgent(index + 1, deps))
  return {
    list,
    /** Resolves when all processes have ended. */
    async end() {
      await Promise.all(list.map(agent => agent.end()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

class RealAgent {
  readonly spec: { name: string; ip: string }
  state: State = 'off'
  readonly #deps: RealAgentDeps
  /** Where scripts start; theirs to write to. */
  readonly #folder: string
  #timer: NodeJS.Timeout | undefined
  #child: ChildProcess | undefined
  #hasEnded = false

  /** `number` counts from 1. */
  constructor(number: number, deps: RealAgentDeps) {
    this.#deps = deps
    this.#folder = mkdtempSync(join(deps.folder, 'agent-'))
    this.spec = createFiles(number, this.#folder, deps)
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
    const folder = this.#folder
    const agent = [process.execPath, programOf(folder), '--config', configOf(folder)]
    const [command = '', ...args] = [...limits(this.#deps.count), ...agent]
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
    const print = (text: string) => this.#deps.print(`${this.spec.name}: ${text}`)
    child.stdout.on('data', chunk => {
      for (const line of String(chunk).split('\n')) {
        if (line.includes('error: ')) print(line)
        // An installed system runs.
        else if (line.includes('connected to')) this.state = 'in use'
        else if (line.includes('connection lost')) this.state = 'disconnected'
      }
    })
    child.stderr.on('data', chunk => print(String(chunk).trim()))
    child.on('error', error => {
      print(error.message)
      this.#onEnd()
    })
    child.on('exit', () => this.#onEnd())
  }

  /** Boots again, as after a restart or a crash, unless it was turned off. */
  #onEnd(): void {
    this.#child = undefined
    this.state = 'off'
    if (this.#hasEnded) return
    const offFile = offFileOf(this.#folder)
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

const programOf = (folder: string) => join(folder, 'fleet-agent.js')
const configOf = (folder: string) => join(folder, 'options.json')
/** Exists when the agent was asked to turn the computer off. */
const offFileOf = (folder: string) => join(folder, 'off')

/** The files of this machine that the agents report as theirs. The process of an agent may not read all of them. */
const reported = ['etc', 'usr', 'run', 'proc/cpuinfo', 'proc/meminfo', 'sys/block', 'sys/bus', 'sys/class/block']
const boardFolder = 'sys/class/dmi/id'
const serialFile = join(boardFolder, 'product_serial')

const perNetwork = 250 // agents in one /24 network

/** Its program, its options, and a folder in place of `/` that gives it a name of its own. */
function createFiles(number: number, folder: string, { code, agents }: RealAgentDeps): { name: string; ip: string } {
  const [network, host] = [Math.floor((number - 1) / perNetwork), 1 + ((number - 1) % perNetwork)]
  const hex = [network, host].map(byte => byte.toString(16).padStart(2, '0'))
  const spec = { name: `lab-real-${String(number).padStart(2, '0')}`, ip: `127.9.${network}.${host}` }
  const root = join(folder, 'root')
  const options = {
    server: agents.host,
    port: String(agents.port),
    'local-address': spec.ip,
    interface: 'lab0',
    // The parent of a script is the agent, whose end is that of the computer.
    'poweroff-command': `touch '${offFileOf(folder)}'; kill $PPID`,
    'reboot-command': 'kill $PPID',
    root,
  }
  const contents = {
    [programOf(folder)]: code,
    [configOf(folder)]: JSON.stringify(options),
    [join(root, 'proc/sys/kernel/hostname')]: spec.name,
    [join(root, serialFile)]: `LAB-REAL-${number}`,
    [join(root, 'sys/class/net/lab0/address')]: `02:00:7f:09:${hex.join(':')}`,
    [join(root, 'sys/class/net/lab0/speed')]: '1000',
  }
  for (const [file, content] of Object.entries(contents)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const boardPath = join('/', boardFolder)
  const board = existsSync(boardPath) ? readdirSync(boardPath).map(name => join(boardFolder, name)) : []
  for (const each of [...reported, ...board]) {
    const link = join(root, each)
    mkdirSync(dirname(link), { recursive: true })
    if (each !== serialFile && existsSync(join('/', each))) symlinkSync(join('/', each), link)
  }
  // Of what it may change: its program, when it is updated, and what scripts write.
  if (isRoot) for (const each of [folder, programOf(folder), configOf(folder)]) chownSync(each, nobody, nobody)
  return spec
}

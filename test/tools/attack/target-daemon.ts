// Starts the daemon of a source tree for an attack: with limits, a log that may be broken, and ports that are free.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { call, token } from '../../harness/rest-call.ts'
import { nodeArguments } from '../runner/bundled-file.ts'
import type { DaemonStart } from './attack.ts'

export type TargetDaemon = Awaited<ReturnType<typeof startOnce>>

const startTimeout = 60_000 // ms
const stopTimeout = 10_000 // ms
const pollTime = 25 // ms
/** Below the ports that the kernel assigns to outgoing connections. */
const firstPort = 18_000
const portCount = 14_000

/** Starts again with other ports when another program has taken one since it was found free. */
const maxStarts = 3

export async function startTargetDaemon(tree: string, folder: string, start?: DaemonStart): Promise<TargetDaemon> {
  for (let starts = 1; ; starts += 1) {
    try {
      return await startOnce(tree, folder, start)
    } catch (error) {
      if (starts === maxStarts || !String(error).includes('another program has port')) throw error
    }
  }
}

async function startOnce(tree: string, folder: string, start: DaemonStart = {}) {
  const { options = {}, nodeArguments: moreArguments = [], descriptors, log = 'file' } = start
  const ports = { rest: await freePort(), agents: await freePort() }
  const { rest = {}, agents = {}, ...sections } = options
  const file = join(folder, 'options.json')
  const own = { rest: { ...rest, port: ports.rest }, agents: { ...agents, ip: '127.0.0.1', port: ports.agents } }
  writeFileSync(file, JSON.stringify({ ...sections, ...own }))
  const limit = descriptors === undefined ? [] : ['prlimit', `--nofile=${descriptors}:${descriptors}`]
  const main = nodeArguments(join(tree, 'host/main.ts'))
  const daemon = [process.execPath, ...moreArguments, ...main, '--config', file]
  const [program = '', ...args] = [...limit, ...daemon]
  const logFile = join(folder, 'daemon.log')
  const errors = openSync(logFile, 'a')
  const output = openOutput(log, folder, errors)
  const env = { ...process.env, FLEET_API_TOKEN: token }
  const child = spawn(program, args, { cwd: tree, env, stdio: ['ignore', output, errors] })
  setNormalPriority(child.pid)
  closeSync(errors)
  const followed = followProcess(child)
  try {
    await untilServing(ports.rest, followed.ending, logFile)
  } catch (error) {
    await followed.stop()
    throw error
  }
  /** Closes standard output where the attack wants that. */
  const breakLog = () => {
    if (log === 'closed pipe') child.stdout?.destroy()
  }
  return { ...followed, ports, logFile, breakLog }
}

/** Returns what the process gets as its standard output. */
function openOutput(log: DaemonStart['log'], folder: string, file: number): number | 'pipe' {
  if (log === 'full disk') return openSync('/dev/full', 'w')
  if (log !== 'unread pipe') return log === 'closed pipe' ? 'pipe' : file
  // Node would read ahead from a pipe of its own; nobody reads this one, and it has at least one reader.
  const path = join(folder, 'output')
  if (!existsSync(path)) execFileSync('mkfifo', [path])
  return openSync(path, 'r+')
}

function followProcess(child: ChildProcess) {
  const pid = child.pid ?? 0
  let peak = 0
  /** Peak of the resident memory in bytes so far. */
  const peakMemory = () => {
    const path = `/proc/${pid}/status`
    const [, kibibytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(existsSync(path) ? readFileSync(path, 'utf8') : '') ?? []
    peak = Math.max(peak, Number(kibibytes) * 1024)
    return peak
  }
  const sampler = setInterval(peakMemory, 4 * pollTime).unref()
  const killOnExit = () => void child.kill('SIGKILL')
  process.once('exit', killOnExit)
  const ended = new Promise<void>(resolve => {
    child.once('exit', () => {
      clearInterval(sampler)
      process.off('exit', killOnExit)
      child.stdout?.destroy()
      resolve()
    })
  })
  return {
    pid,
    /** How the process has ended; undefined while it runs. */
    ending: () => child.signalCode ?? (child.exitCode === null ? undefined : `exit code ${child.exitCode}`),
    peakMemory,
    /** Sends SIGTERM, after a timeout SIGKILL. Resolves to the milliseconds until the end, undefined after SIGKILL. */
    async stop(): Promise<number | undefined> {
      if (child.exitCode !== null || child.signalCode !== null) return 0
      const began = performance.now()
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeout)
      await ended
      clearTimeout(timer)
      return child.signalCode === 'SIGKILL' ? undefined : performance.now() - began
    },
    /** Ends it at once, as a power failure does. */
    async kill(): Promise<void> {
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended
    },
  }
}

/** Asks the daemon itself, as its log may be broken. */
async function untilServing(port: number, ending: () => string | undefined, logFile: string): Promise<void> {
  const until = performance.now() + startTimeout
  for (;;) {
    const status = await call(port, 'GET /healthz').then(
      response => response.status,
      () => 0,
    )
    if (status === 200) return
    const problem = ending() ?? (performance.now() > until ? `no response after ${startTimeout} ms` : undefined)
    if (problem !== undefined) throw new Error(`daemon not started: ${problem}: ${lastLine(logFile)}`)
    await wait(pollTime)
  }
}

const lastLine = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? ''

async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * portCount)
    const server = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}

/** The share of the time that the daemon may wait for a processor: above it the machine is too busy to judge times. */
export const waitedBound = 0.1

/** Returns the share of the time from now on that the main thread of a process waits for a processor. */
export function startWaited(pid: number): () => number {
  const path = `/proc/${pid}/task/${pid}/schedstat`
  /** 0 when the process has ended. */
  const waited = () => (existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6 : 0)
  const [began, before] = [performance.now(), waited()]
  return () => (waited() - before) / (performance.now() - began)
}

/** The bytes of all files below a folder. */
export function sizeOf(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => {
    // A file of the daemon may be gone by now.
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    return stats?.isFile() ? stats.size : 0
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

const { PRIORITY_BELOW_NORMAL, PRIORITY_NORMAL } = constants.priority

/** Only root may raise a priority again. */
const isRoot = process.getuid?.() === 0

/** Runs `work` with a low priority of this process. */
export async function withLowPriority<Result>(work: () => Promise<Result>): Promise<Result> {
  if (isRoot) setPriority(PRIORITY_BELOW_NORMAL)
  try {
    return await work()
  } finally {
    if (isRoot) setPriority(PRIORITY_NORMAL)
  }
}

/** For a child process, which has the priority of its parent. */
export function setNormalPriority(pid: number | undefined): void {
  if (isRoot && pid !== undefined) setPriority(pid, PRIORITY_NORMAL)
}

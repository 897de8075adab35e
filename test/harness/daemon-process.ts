// Starts the daemon as an administrator does: as a process of its own with its own folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nodeArguments } from '../tools/runner/bundled-file.ts'
import { type CallResponse, call } from './rest-call.ts'

const repository = join(import.meta.dirname, '../..')
const daemon: [string, ...string[]] = [process.execPath, ...nodeArguments('host/main.ts')]

/** Milliseconds that a test waits for a line; a start on a busy machine takes some seconds. */
const waitTimeout = 60_000

/** Milliseconds until a program that does not end is killed. */
const endTimeout = 10_000

export interface Program {
  pid: number
  /** The standard output so far. */
  output(): string
  /** The standard error so far. */
  errors(): string
  /** Waits for a match in the output; resolves to its first group. */
  waitFor(pattern: RegExp): Promise<string>
  /** Resolves when the process has ended. */
  ended: Promise<{ code: number | null; signal: string | null }>
  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void
  /** Waits for the REST port. */
  port(): Promise<number>
  agentsPort(): Promise<number>
  call(token: string, route: string, payload?: unknown): Promise<CallResponse>
}

export interface ProgramOptions {
  /** The content of the options file; the default ports are free ports of 127.0.0.1. */
  options?: Record<string, object>
  /** The text of the options file, instead of `options`. */
  text?: string
  args?: string[]
  env?: Record<string, string>
  /** The program with its first arguments, and the folder where it is started; default: the daemon of this repository. */
  command?: [string, ...string[]]
  root?: string
  /** In a group of its own: Ctrl-C of the terminal does not reach it. */
  detached?: boolean
  /** Milliseconds that `waitFor` waits at most. */
  patience?: number
  /** Called with each line of its output and errors. */
  onLine?(line: string): void
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'program-'))
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

const running = new Set<Program>()
// A bench that is ended by a signal leaves none of them either.
process.on('exit', () => running.forEach(program => void program.kill('SIGKILL')))

/** For the end of a suite: a test that failed may have left its program running. */
export const endPrograms = () => stopPrograms('SIGKILL')

/** Ends all programs; those that do not end by themselves are killed. */
export async function stopPrograms(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  const ending = [...running]
  for (const program of ending) program.kill(signal)
  const timer = setTimeout(() => ending.map(program => program.kill('SIGKILL')), endTimeout)
  await Promise.all(ending.map(({ ended }) => ended))
  clearTimeout(timer)
}

export function startProgram(
  folder: string,
  {
    options = {},
    text,
    args = [],
    env = {},
    command = daemon,
    root = repository,
    detached = false,
    patience = waitTimeout,
    onLine,
  }: ProgramOptions = {},
): Program {
  const file = join(folder, 'options.json')
  const defaults = { rest: { port: 0 }, agents: { ip: '127.0.0.1', port: 0 } }
  writeFileSync(file, text ?? JSON.stringify({ ...defaults, ...options }))
  const [executable, ...first] = command
  const { FLEET_API_TOKEN: _, ...inherited } = process.env
  const child = spawn(executable, [...first, '--config', file, ...args], {
    cwd: root,
    env: { ...inherited, ...env },
    detached,
  })
  if (onLine) for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine)
  let output = ''
  let errors = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const ended: Program['ended'] = new Promise(resolve => {
    child.on('close', (code, signal) => {
      running.delete(program)
      resolve({ code, signal })
    })
  })
  const program: Program = {
    pid: child.pid ?? 0,
    output: () => output,
    errors: () => errors,
    async waitFor(pattern) {
      const signal = AbortSignal.timeout(patience)
      for (;;) {
        const match = pattern.exec(output)
        if (match) return match[1] ?? match[0]
        const more = once(child.stdout, 'data', { signal })
        const over = ended.then(() => Promise.reject(new Error(`ended without ${pattern}: ${output}${errors}`)))
        await Promise.race([more, over])
      }
    },
    ended,
    kill: signal => void child.kill(signal),
    port: async () => Number(await program.waitFor(/REST API on http:\/\/127\.0\.0\.1:(\d+)\n/)),
    agentsPort: async () => Number(await program.waitFor(/agent port 127\.0\.0\.1:(\d+)\n/)),
    call: async (token, route, payload) => call(await program.port(), route, payload, { Authorization: token }),
  }
  running.add(program)
  return program
}

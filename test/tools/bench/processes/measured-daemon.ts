// Starts the daemon to measure: host/main.ts in a process and a folder of its own, with many computers.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent as Connections } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { call, token } from '../../../harness/rest-call.ts'
import { nodeArguments } from '../../runner/bundled-file.ts'
import { createAsk } from './child-process.ts'
import { computerSpecOf } from './computers.ts'
import type { Instrumentation } from './instrumentation.ts'

export type MeasuredDaemon = Awaited<ReturnType<typeof startMeasuredDaemon>>

interface Client {
  last_cmd: { result: string }
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const instrumentation = fileURLToPath(new URL('./instrumentation.ts', import.meta.url))
const startTimeout = 1_800_000 // ms; a virtual machine may be 20 times slower
const pollTime = 20 // ms
/** Bytes: at 10,000 computers requests and responses have some megabytes. Seconds: those of a slow machine. */
const limits = { request: 4_000_000, response: 16_000_000, answer_seconds: 1800, hang_seconds: 1800 }

export interface DaemonOptions {
  /** The folder of an earlier daemon, whose computers it already contains. */
  left?: string
  /** The checkout whose daemon is started; by default this one. */
  tree?: string | undefined
  /** Files of a folder of commands: their sources by their names. */
  site?: Record<string, string> | undefined
  /** The option `store`, of a store that already contains its computers. */
  store?: object | undefined
}

export async function startMeasuredDaemon(computers: number, options: DaemonOptions = {}) {
  const { left, tree = root, site = {}, store } = options
  const folder = left ?? mkdtempSync(join(tmpdir(), 'fleet-bench-'))
  const file = join(folder, 'options.json')
  const connections = Math.max(computers, 10_000)
  const ports = { rest: { port: 0 }, agents: { ip: '127.0.0.1', port: 0, connections } }
  const commands = join(folder, 'site')
  mkdirSync(commands, { recursive: true })
  for (const [name, source] of Object.entries(site)) writeFileSync(join(commands, name), source)
  writeFileSync(file, JSON.stringify({ ...ports, limits, commands: [commands], store }))
  const program = nodeArguments(join(tree, 'host/main.ts'))
  const child = fork(program.at(-1) ?? '', ['--config', file], {
    cwd: tree,
    silent: true,
    execArgv: [...program.slice(0, -1), '--import', nodeArguments(instrumentation).at(-1) ?? ''],
    env: { ...process.env, FLEET_API_TOKEN: token },
  })
  // Node would give a connection up after ten seconds in which a slow machine did not respond.
  const callers = new Connections({ keepAlive: true, keepAliveMsecs: startTimeout })
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  process.once('exit', remove)
  /** With `keep` the folder is not deleted, so that a next daemon can use it. */
  const stop = async (keep?: 'keep') => {
    process.off('exit', remove)
    callers.destroy()
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGTERM')) await ended
    if (!keep) remove()
  }
  try {
    const { stdout: out } = child
    const [rest, agents] = await portsOf(out, child.stderr)
    const send = <Result>(route: string, payload?: unknown) => ask<Result>(callers, rest, route, payload)
    if (!left && !store) await addComputers(send, computers)
    const inspect = createAsk<Instrumentation>(child)
    return {
      pid: child.pid ?? 0,
      folder,
      ports: { rest, agents },
      inspect,
      call: send,
      stop,
      /** Resolves when this many clients have finished their last command, or after a timeout; returns their number. */
      async waitForClients(expected: number): Promise<number> {
        const until = performance.now() + startTimeout
        for (;;) {
          const { clients } = await send<{ clients: Client[] }>('GET /clients')
          const done = clients.filter(({ last_cmd }) => last_cmd.result === 'success').length
          const isReached = expected === 0 ? clients.length === 0 : done >= expected
          if (isReached || performance.now() > until) return done
          await wait(pollTime)
        }
      },
      /** Resolves when the daemon logs a text that matches. */
      logged: (pattern: RegExp) => logged(out, pattern),
      /** With a folder: runs `work` and writes a CPU profile of the daemon to `name`. Without: does nothing. */
      async withProfile(into: string | undefined, name: string, work: () => Promise<unknown>): Promise<void> {
        if (into === undefined) return
        await inspect('profile')
        await work()
        await inspect('save', join(into, `${name}.cpuprofile`))
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Reads the REST and the agent port from the log, and prints warnings and errors of the daemon. */
async function portsOf(...[out, errors]: (NodeJS.ReadableStream | null)[]): Promise<[number, number]> {
  let text = ''
  errors?.on('data', chunk => {
    text += chunk
    process.stderr.write(chunk)
  })
  // Reads all output: a full pipe would block the daemon.
  out?.on('data', chunk => {
    const problems = String(chunk).match(/^\S+ (warn|error) .*$/gm) ?? []
    for (const problem of problems) process.stderr.write(`${problem}\n`)
  })
  const signal = AbortSignal.timeout(startTimeout)
  while (out) {
    const [, rest] = /REST API on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(text) ?? []
    const [, agents] = /agent port 127\.0\.0\.1:(\d+)\n/.exec(text) ?? []
    if (rest && agents) {
      return [Number(rest), Number(agents)]
    }
    const [chunk] = await once(out, 'data', { signal }).catch(() => {
      throw new Error(`the daemon did not start: ${text}`)
    })
    text += chunk
  }
  throw new Error('the daemon has no output')
}

/** `pattern` must match within what the daemon writes in one tick. */
function logged(out: NodeJS.ReadableStream | null, pattern: RegExp): Promise<void> {
  return new Promise(resolve => {
    const onData = (chunk: Buffer) => {
      if (!pattern.test(chunk.toString())) return
      out?.off('data', onData)
      resolve()
    }
    out?.on('data', onData)
  })
}

async function addComputers(call: (route: string, payload: unknown) => Promise<unknown>, count: number) {
  const rows = Array.from({ length: count }, (_, index) => {
    const { name, ip, mac } = computerSpecOf(index)
    return `${name},${ip},${mac},none\n`
  })
  await call('POST /center/add', { name: 'Center' })
  await call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  // The boot mode has no template, so that no boot files are written.
  await call('POST /client/import', { format: 'csv', room: 1, text: `name,ip,mac,boot\n${rows.join('')}` })
}

/** Rejects for any status but 200. `Result` is the response type of the route. */
export async function ask<Result>(
  connections: Connections,
  port: number,
  route: string,
  payload?: unknown,
): Promise<Result> {
  const { status, json } = await call(port, route, payload, {}, { agent: connections })
  if (status !== 200) throw new Error(`${route}: ${status}`)
  return json
}

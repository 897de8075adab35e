// The daemon that is measured: host/main.ts in a process and a folder of its own, with many computers in its store.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent as Connections, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { token } from '../../harness/test-host.ts'
import { type Ask, asking } from './child.ts'
import type { Probe } from './probe.ts'
import { seatOf } from './seats.ts'

export interface Measured {
  pid: number
  folder: string
  ports: { rest: number; agents: number }
  probe: Ask<Probe>
  /** Rejects for any status but 200. `Result` is what the route is known to give. */
  call<Result>(route: string, payload?: unknown): Promise<Result>
  /** Resolves when as many clients are listed as given, each with its last command done; with how many there are. */
  ready(clients: number): Promise<number>
  /** Does it, with a profile of the daemon in `file` when there is a folder for it. */
  profiled(folder: string | undefined, file: string, work: () => Promise<unknown>): Promise<void>
  /** `keep` leaves the folder for the next one. */
  stop(keep?: 'keep'): Promise<void>
}

interface Client {
  last_cmd: { result: string }
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const probe = new URL('./probe.ts', import.meta.url).href
const patience = 120_000 // ms until a fleet that does not get ready is given up
const pollTime = 20 // ms
/** Bytes: the longest request and answer at 10,000 computers have some megabytes. */
const raised = { request: 4_000_000, response: 16_000_000 }

/** In a folder that another one has left, its computers are there already. */
export async function startMeasured(computers: number, left?: string): Promise<Measured> {
  const folder = left ?? mkdtempSync(join(tmpdir(), 'fleet-bench-'))
  const file = join(folder, 'options.json')
  const ports = { rest: { port: 0 }, agents: { ip: '127.0.0.1', port: 0 } }
  writeFileSync(file, JSON.stringify({ ...ports, limits: raised }))
  const child = fork(join(root, 'host/main.ts'), ['--config', file], {
    ...{ cwd: root, silent: true, execArgv: ['--import', 'tsx', '--import', probe] },
    env: { ...process.env, FLEET_API_TOKEN: token },
  })
  const connections = new Connections({ keepAlive: true })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const stop = async (keep?: 'keep') => {
    process.off('exit', remove)
    connections.destroy()
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGTERM')) await ended
    if (!keep) remove()
  }
  try {
    const [rest, agents] = await portsOf(child.stdout, child.stderr)
    const call = <Result>(route: string, payload?: unknown) => ask<Result>(connections, rest, route, payload)
    if (!left) await addComputers(call, computers)
    const probed = asking<Probe>(child)
    return {
      ...{ pid: child.pid ?? 0, folder, ports: { rest, agents }, probe: probed, call, stop },
      async ready(expected) {
        const until = performance.now() + patience
        for (;;) {
          const { clients } = await call<{ clients: Client[] }>('GET /clients')
          const done = clients.filter(({ last_cmd }) => last_cmd.result === 'success').length
          const is = expected === 0 ? clients.length === 0 : done >= expected
          if (is || performance.now() > until) return done
          await wait(pollTime)
        }
      },
      async profiled(into, name, work) {
        if (into === undefined) return
        await probed('profile')
        await work()
        await probed('save', join(into, `${name}.cpuprofile`))
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Of callers and agents, as the log tells them; what it complains of is shown. */
async function portsOf(...[out, errors]: (NodeJS.ReadableStream | null)[]): Promise<[number, number]> {
  let text = ''
  errors?.on('data', chunk => {
    text += chunk
    process.stderr.write(chunk)
  })
  // A log that nobody reads would stop the daemon.
  out?.on('data', chunk => {
    const complaints = String(chunk).match(/^\S+ (warn|error) .*$/gm) ?? []
    for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  })
  const signal = AbortSignal.timeout(patience)
  while (out) {
    const [, rest] = /served on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(text) ?? []
    const [, agents] = /awaited on 127\.0\.0\.1:(\d+)\n/.exec(text) ?? []
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

async function addComputers(call: (route: string, payload: unknown) => Promise<unknown>, count: number) {
  const rows = Array.from({ length: count }, (_, index) => {
    const { name, ip, mac } = seatOf(index)
    return `${name},${ip},${mac},none\n`
  })
  await call('POST /center/add', { name: 'Center' })
  await call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  // A boot mode without a template: no boot files.
  await call('POST /client/import', { format: 'csv', room: 1, text: `name,ip,mac,boot\n${rows.join('')}` })
}

/** Rejects for any status but 200. `Result` is what the route is known to give. */
export function ask<Result>(agent: Connections, port: number, route: string, payload?: unknown): Promise<Result> {
  const [method = '', path = ''] = route.split(' ')
  const body = payload === undefined ? '' : JSON.stringify(payload)
  const headers = { Authorization: token, 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port, method, path, agent, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200) resolve(text === '' ? undefined : JSON.parse(text))
        else reject(new Error(`${route}: ${response.statusCode}`))
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

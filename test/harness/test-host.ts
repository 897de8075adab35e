// A real host on free ports with a caller and agents: what black-box tests talk to.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadOptions } from '../../host/config/options.ts'
import { type Host, startHost } from '../../host/host.ts'
import type { Clock } from '../../host/system/clock.ts'
import type { FleetEvent } from '../../host/system/events.ts'
import { createLog } from '../../host/system/log.ts'
import { type Agent, type AgentOptions, connectAgent } from './simulated-agent.ts'

export const token = 'the-token'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The parsed body, undefined for an empty one. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says by itself what shape it expects
  json: any
}

export interface Lab {
  host: Host
  /** Every line that was logged. */
  log: string[]
  folder: string
  /** Sends a payload as JSON, a string or Buffer as it is. */
  call(route: string, payload?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Writes bytes to the callers' port and gives all that comes back until the daemon closes or `until` has come. */
  raw(bytes: string | Buffer, until?: RegExp): Promise<string>
  agent(addr: string, options?: Partial<AgentOptions>): Promise<Agent>
  /** Resolves with the next event that fits; call it before what causes the event. */
  event<Type extends FleetEvent['type']>(
    type: Type,
    fits?: Partial<FleetEvent & { type: Type }>,
  ): Promise<FleetEvent & { type: Type }>
  /** Resolves with a line of the log that matches, one that is there already or the next. */
  logged(pattern: RegExp): Promise<string>
  /** Adds center and room once, then a computer of that address. */
  addComputer(ip: string, more?: object): Promise<void>
  /** `keep` leaves the folder for the next lab. */
  stop(keep?: 'keep'): Promise<void>
}

export interface LabOptions {
  /** Sections as in the options file, over a memory store on free ports. */
  options?: Record<string, unknown>
  wakePort?: number
  /** The time of schedules and the queue. */
  clock?: Clock
  /** A folder that an earlier lab has left; its records are there in a store that lasts. */
  folder?: string
}

/** Milliseconds that a test waits for an event. */
const patience = 5000

export async function startLab({ options = {}, wakePort, clock, folder: kept }: LabOptions = {}): Promise<Lab> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'fleet-host-'))
  const file = join(folder, 'options.json')
  const defaults = {
    rest: { port: 0 },
    agents: { ip: '0.0.0.0', port: 0 },
    store: { adapter: 'memory', path: './data' },
    repository: { directory: './images' },
  }
  writeFileSync(file, JSON.stringify({ ...defaults, ...options }))
  const log: string[] = []
  const waiting = new Set<() => void>()
  const write = (text: string) => {
    log.push(text)
    for (const look of waiting) look()
  }
  const parts = { options: loadOptions(file).options, token, log: createLog(write) }
  const host = await startHost({ ...parts, ...(wakePort === undefined ? {} : { wakePort }), ...(clock && { clock }) })
  const agents: Agent[] = []
  let room: Promise<unknown> | undefined

  const lab: Lab = {
    host,
    log,
    folder,
    call: (route, payload, headers) => call(host.ports.rest, route, payload, headers),
    raw: (bytes, until) => raw(host.ports.rest, bytes, until),
    async agent(addr, more = {}) {
      // Where the test leaves the first refresh to the agent, the daemon shall have seen its answer too.
      const refreshed =
        more.auto === undefined && lab.event('command-ended', { addr, command: 'refresh' }).catch(() => {})
      const agent = await connectAgent({ port: host.ports.agents, addr, ...more })
      agents.push(agent)
      await refreshed
      return agent
    },
    event(type, fits = {}) {
      return within(`event ${type} ${JSON.stringify(fits)}`, resolve => {
        const off = host.events.on(event => {
          if (!isType(event, type) || !Object.entries(fits).every(([key, value]) => Reflect.get(event, key) === value))
            return
          off()
          resolve(event)
        })
      })
    },
    logged(pattern) {
      return within(`a log line like ${pattern}`, resolve => {
        const look = () => {
          const line = log.find(one => pattern.test(one))
          if (line === undefined) return
          waiting.delete(look)
          resolve(line)
        }
        waiting.add(look)
        look()
      })
    },
    async addComputer(ip, more = {}) {
      room ??= lab
        .call('POST /center/add', { name: 'Center' })
        .then(() => lab.call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 }))
      await room
      const mac = ip
        .split('.')
        .map(part => Number(part).toString(16).padStart(2, '0'))
        .join('')
      const { status } = await lab.call('POST /client/add', {
        name: `pc-${ip}`,
        ip,
        mac: `0200${mac}`,
        room: 1,
        ...more,
      })
      if (status !== 200) throw new Error(`${ip} was not added: ${log.at(-1)}`)
    },
    async stop(keep) {
      for (const agent of agents) agent.destroy()
      const complaints = agents.flatMap(({ addr, complaints }) => complaints.map(what => `${addr}: ${what}`))
      if (complaints.length > 0) throw new Error(`the daemon broke the protocol: ${complaints.join('; ')}`)
      await host.stop()
      if (!keep) rmSync(folder, { recursive: true, force: true })
    },
  }
  return lab
}

const isType = <Type extends FleetEvent['type']>(event: FleetEvent, type: Type): event is FleetEvent & { type: Type } =>
  event.type === type

function within<Result>(what: string, start: (resolve: (result: Result) => void) => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`waited ${patience} ms for ${what}`)), patience).unref()
    start(result => {
      clearTimeout(timer)
      resolve(result)
    })
  })
}

/** One request on a connection of its own, as the family's clients send it: also a GET may have a JSON body. */
export function call(
  port: number,
  route: string,
  payload?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const raw = typeof payload === 'string' || Buffer.isBuffer(payload)
  const body = payload === undefined ? '' : raw ? payload : JSON.stringify(payload)
  return new Promise((resolve, reject) => {
    const sending = request({
      ...{ host: '127.0.0.1', port, method, path, agent: false },
      headers: { Authorization: token, 'Content-Length': String(Buffer.byteLength(body)), ...headers },
    })
    sending.on('error', reject)
    sending.on('response', response => {
      let text = ''
      // An event stream has no end: what comes before it is the answer.
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: undefined })
        return void response.destroy()
      }
      response.setEncoding('utf8')
      response.on('data', chunk => (text += chunk))
      response.on('error', reject)
      response.on('end', () => {
        const json = text === '' || !response.headers['content-type']?.includes('json') ? undefined : JSON.parse(text)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json })
      })
    })
    sending.end(body)
  })
}

function raw(port: number, bytes: string | Buffer, until?: RegExp): Promise<string> {
  return within(`an answer to ${JSON.stringify(String(bytes).slice(0, 60))}`, resolve => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', chunk => {
      text += chunk
      if (until?.test(text)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

// Starts a real host on free ports for black-box tests, with a caller and simulated agents.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadOptions } from '../../host/config/options.ts'
import { type Host, startHost } from '../../host/host.ts'
import { createLog } from '../../host/log/log.ts'
import type { Clock } from '../../host/system/clock.ts'
import type { FleetEvent } from '../../host/system/events.ts'
import { type Agent, type AgentOptions, connectAgent } from '../../host/test-kit/simulated-agent.ts'
import { dropStoreOf, storeOptionsFor } from './default-store.ts'
import { hostNames, hostOf, onKnownEvent, optionsOf, settle, synchronize, withEventsOfAll } from './other-hosts.ts'
import { type CallResponse, call, exchangeBytes, token, withTimeout } from './rest-call.ts'
import { tlsFiles, transport } from './transport.ts'

export { token }

export interface TestHost {
  host: Host
  /** All log lines so far. */
  log: string[]
  folder: string
  /** Sends one request. A string or Buffer is sent unchanged, any other payload as JSON. */
  call(route: string, payload?: unknown, headers?: Record<string, string>): Promise<CallResponse>
  /** Writes bytes to the REST port. Resolves with all received text when the daemon closes or `until` matches. */
  raw(bytes: string | Buffer, until?: RegExp): Promise<string>
  agent(addr: string, options?: Partial<AgentOptions>): Promise<Agent>
  /** Resolves with the next event whose fields equal `fields`. Call it before the action that causes the event. */
  event<Type extends FleetEvent['type']>(
    type: Type,
    fields?: Partial<FleetEvent & { type: Type }>,
  ): Promise<FleetEvent & { type: Type }>
  /** Resolves with the first log line that matches, past or future. */
  logged(pattern: RegExp): Promise<string>
  /** Adds a computer with this address to room 1. The first call also adds the center and the room. */
  addComputer(ip: string, more?: object): Promise<void>
  /** With `keep` the folder is not deleted, so that a next host can use it. */
  stop(keep?: 'keep'): Promise<void>
}

export interface TestHostOptions {
  /** Sections of the options file. Defaults: memory store, free ports. */
  options?: Record<string, unknown>
  wakePort?: number
  /** The file of the neighbour table. */
  neighbourTable?: string
  /** The clock of schedules and of the queue. */
  clock?: Clock
  /** The folder of an earlier host that was stopped with `keep`. */
  folder?: string
  /** The API token in place of that of `call`. */
  token?: { readonly value: string }
}

export async function startTestHost(testOptions: TestHostOptions = {}): Promise<TestHost> {
  const { folder = mkdtempSync(join(tmpdir(), 'fleet-host-')) } = testOptions
  const log = createLineLog()
  const hosts = await startHosts(testOptions, folder, log.write)
  const host = withEventsOfAll(hosts)
  const agents: Agent[] = []
  let roomAdded: Promise<unknown> | undefined

  const testHost: TestHost = {
    host,
    log: log.lines,
    folder,
    async call(route, payload, headers) {
      await settle(hosts)
      return call(host.ports.rest, route, payload, headers)
    },
    raw: (bytes, until) => exchangeBytes(host.ports.rest, bytes, until),
    async agent(addr, more = {}) {
      // An agent with default replies answers the first refresh by itself: wait until the daemon has that reply.
      const refreshed =
        (more.auto === undefined || (hosts.length > 1 && repliesAtOnce(more.auto))) &&
        testHost.event('command-ended', { addr, command: 'refresh' }).catch(() => {})
      const own = hostOf(addr, hosts)
      if (own !== hosts[0]) await synchronize(hosts[0], own)
      const agent = await connectAgent({ port: own.ports.agents, addr, ...more })
      agents.push(agent)
      await refreshed
      return agent
    },
    event: (type, fields = {}) => nextEvent(hosts, type, fields),
    logged: log.waitFor,
    async addComputer(ip, more = {}) {
      roomAdded ??= addRoom(testHost)
      await roomAdded
      await addComputer(testHost, ip, more)
    },
    async stop(keep) {
      for (const agent of agents) agent.destroy()
      const violations = agents.flatMap(agent => agent.violations.map(text => `${agent.addr}: ${text}`))
      if (violations.length > 0) throw new Error(`the daemon broke the protocol: ${violations.join('; ')}`)
      for (const each of hosts.reverse()) await each.stop()
      if (keep) return
      await dropStoreOf(folder)
      // A process that was killed may still be closing a file.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return testHost
}

/** The reply to the first refresh is sent at once. On one host it then arrives before anything that the test calls. */
const repliesAtOnce = (auto: AgentOptions['auto']) => {
  const reply = auto && (auto['/refresh'] ?? auto['*'] ?? { delay: 0 })
  return typeof reply === 'object' && !reply.delay
}

/** One, or those of a fleet. */
async function startHosts(
  testOptions: TestHostOptions,
  folder: string,
  write: (text: string) => void,
): Promise<Host[]> {
  const { options = {}, wakePort, neighbourTable, clock } = testOptions
  const hosts: Host[] = []
  for (const name of hostNames(options)) {
    hosts.push(
      await startHost({
        options: loadOptions(writeOptionsFile(folder, options, name)).options,
        token: testOptions.token ?? { value: token },
        log: createLog(write),
        ...(wakePort === undefined ? {} : { wakePort }),
        ...(neighbourTable !== undefined && { neighbourTable }),
        ...(clock && { clock }),
      }),
    )
  }
  return hosts
}

function writeOptionsFile(folder: string, options: Record<string, unknown>, name: string | undefined): string {
  const file = join(folder, name === undefined ? 'options.json' : `options-${name}.json`)
  const defaults = {
    rest: { port: 0, ...(transport.isSecure && { tls: tlsFiles }) },
    agents: { ip: '0.0.0.0', port: 0 },
    repository: { directory: './images' },
    // Nothing of the tests listens on port 80.
    images: { log: { off: true } },
  }
  const store = storeOptionsFor(folder, options.store)
  writeFileSync(file, JSON.stringify(optionsOf(name, { ...defaults, ...options, store })))
  return file
}

function createLineLog() {
  const lines: string[] = []
  const waiters = new Set<() => void>()
  return {
    lines,
    write(text: string): void {
      lines.push(text)
      for (const check of waiters) check()
    },
    waitFor: (pattern: RegExp): Promise<string> =>
      withTimeout(
        `a log line like ${pattern}`,
        resolve => {
          const check = () => {
            const line = lines.find(each => pattern.test(each))
            if (line === undefined) return
            waiters.delete(check)
            resolve(line)
          }
          waiters.add(check)
          check()
        },
        () => `, got at last\n${lines.slice(-20).join('\n')}`,
      ),
  }
}

function nextEvent<Type extends FleetEvent['type']>(hosts: Host[], type: Type, fields: object) {
  return withTimeout<FleetEvent & { type: Type }>(`event ${type} ${JSON.stringify(fields)}`, resolve => {
    const unsubscribe = onKnownEvent(hosts, event => {
      if (!isType(event, type)) return
      if (!Object.entries(fields).every(([key, value]) => Reflect.get(event, key) === value)) return
      unsubscribe()
      resolve(event)
    })
  })
}

const isType = <Type extends FleetEvent['type']>(event: FleetEvent, type: Type): event is FleetEvent & { type: Type } =>
  event.type === type

async function addRoom(testHost: TestHost): Promise<void> {
  await testHost.call('POST /center/add', { name: 'Center' })
  await testHost.call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
}

async function addComputer(testHost: TestHost, ip: string, more: object): Promise<void> {
  const bytes = ip.split('.').map(byte => Number(byte).toString(16).padStart(2, '0'))
  const computer = { name: `pc-${ip}`, ip, mac: `0200${bytes.join('')}`, room: 1, ...more }
  const { status } = await testHost.call('POST /client/add', computer)
  if (status !== 200) throw new Error(`${ip} was not added: ${testHost.log.at(-1)}`)
}

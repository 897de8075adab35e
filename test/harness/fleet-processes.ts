// Several daemons of one fleet, each in a process of its own, with a private PostgreSQL.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { endPrograms, newFolder, type Program, removeFolder, startProgram } from './daemon-process.ts'
import { pollUntil } from './poll.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { type CallResponse, call, token } from './rest-call.ts'

export interface FleetHost {
  name: string
  folder: string
  program: Program
  rest: number
  agents: number
  call(route: string, payload?: unknown): Promise<CallResponse>
}

export interface FleetOptions {
  count: number
  /** Default 3, the least: tests wait for it. */
  leaseSeconds?: number
  /** Default true: as in a site, what is acknowledged is on disk. */
  fsync?: boolean
  /** Further sections of the options. */
  options?: Record<string, object>
}

export type FleetProcesses = Awaited<ReturnType<typeof startFleet>>

const names = ['a', 'b', 'c', 'd', 'e']

/** Runs the scenario in a fleet of its own; the error of one that fails has the last lines of each host's log. */
export async function inFleet<Result>(
  options: FleetOptions,
  run: (fleet: FleetProcesses) => Promise<Result>,
): Promise<Result> {
  const fleet = await startFleet(options)
  try {
    return await run(fleet)
  } catch (error) {
    throw fleet.explain(error)
  } finally {
    await fleet.end()
  }
}

export async function startFleet(fleet: FleetOptions) {
  const { count, fsync = true } = fleet
  const server = await startPostgres({ fsync })
  const folder = newFolder()
  const start = (index: number, changes?: Partial<FleetOptions>) =>
    startHost(names[index] ?? '', folder, server, { ...fleet, ...changes })
  try {
    // The first one makes the tables, the others wait for it.
    const hosts = await Promise.all(Array.from({ length: count }, (_, index) => start(index)))
    await waitForMembers(hosts)
    return {
      server,
      hosts,
      /** Starts a host whose process has ended, on new ports; `changes` of its options are for this start. */
      async restart(index: number, changes?: Partial<FleetOptions>): Promise<void> {
        hosts[index] = await start(index, changes)
      },
      /** Adds computers with these addresses to one room. */
      addComputers: (addrs: string[]) => addComputers(hosts, addrs),
      /** The error with the last lines of each host's log. */
      explain(error: unknown): Error {
        const logs = hosts.map(
          ({ name, program }) => `host ${name}:\n${lastLines(program.output() + program.errors())}`,
        )
        const details = error instanceof Error && 'details' in error ? `${error.details}\n` : ''
        return new Error(`${error instanceof Error ? error.stack : error}\n${details}${logs.join('\n')}`)
      },
      async end(): Promise<void> {
        await endPrograms()
        await server.stop()
        removeFolder(folder)
      },
    }
  } catch (error) {
    await endPrograms()
    await server.stop()
    throw error
  }
}

const shownLines = 30
const lastLines = (text: string) => text.split('\n').slice(-shownLines).join('\n')

async function startHost(
  name: string,
  folder: string,
  server: PostgresServer,
  { leaseSeconds = 3, options = {} }: FleetOptions,
): Promise<FleetHost> {
  const own = join(folder, name)
  mkdirSync(own, { recursive: true })
  const program = startProgram(own, {
    options: {
      // Another host may have added their records a moment ago.
      agents: { ip: '127.0.0.1', port: 0, unknown: 10_000 },
      rest: { port: 0 },
      store: { ...server.storeOptions('fleet'), path: join(own, 'data') },
      repository: { directory: join(folder, 'images') },
      images: { log: { off: true } },
      cluster: { name, lease_seconds: leaseSeconds },
      ...options,
    },
    env: { FLEET_API_TOKEN: token },
  })
  const [rest, agents] = await Promise.all([program.port(), program.agentsPort()])
  return { name, folder: own, program, rest, agents, call: (route, payload) => call(rest, route, payload) }
}

/** Until each host knows all others. */
async function waitForMembers(hosts: FleetHost[]): Promise<void> {
  const countOf = async (host: FleetHost) => (await host.call('GET /hosts')).json.hosts.length
  await pollUntil(async () => {
    const counts = await Promise.all(hosts.map(countOf))
    return counts.every(count => count === hosts.length)
  })
}

async function addComputers([first]: FleetHost[], addrs: string[]): Promise<void> {
  if (!first) return
  await first.call('POST /center/add', { name: 'Center' })
  await first.call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  const rows = addrs.map(ip => {
    const bytes = ip.split('.').map(byte => Number(byte).toString(16).padStart(2, '0'))
    return `pc-${ip.replaceAll('.', '-')},${ip},0200${bytes.join('')}`
  })
  const text = ['name,ip,mac', ...rows].join('\n')
  const { status } = await first.call('POST /client/import', { format: 'csv', room: 1, text })
  if (status !== 200) throw new Error(`import of ${addrs.length} computers: expected 200, got ${status}`)
}

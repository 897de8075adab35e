// Which test files run, and with which store.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toEnvironment } from '../../harness/default-store.ts'
import { hostsVariable } from '../../harness/hosts-variable.ts'
import { keepNewServer, type PostgresServer, postgresPrograms, startPostgres } from '../../harness/postgres.ts'
import { secureVariable } from '../../harness/transport.ts'
import { rank } from './long-files.ts'

export interface Run {
  /** Absolute path. */
  file: string
  /** Path below test/, after the name of the store where it is not that of the tests. */
  title: string
  environment: Record<string, string>
  /** It runs in a process of its own. */
  isAlone: boolean
  needsBrowser: boolean
}

export interface Runs {
  list: Run[]
  /** Lines about runs that this machine cannot do. */
  skipped: string[]
  /** The server of these runs ends. */
  end(): Promise<void>
}

/** Tests of records, inventories, jobs and schedules, which run with both stores in the whole suite. */
const sharedFiles = [
  'access/tokens',
  'computers/adopt',
  'computers/import-update',
  'computers/inventory',
  'computers/records',
  'computers/room-places',
  'images/image-commands',
  'jobs/failures',
  'jobs/job-list',
  'jobs/jobs',
  'jobs/procedures',
  'jobs/queue',
  'jobs/queue-end',
  'jobs/queue-restart',
  'jobs/tasks',
  'jobs/waiting-limits',
  'schedules/schedules',
].map(name => `${name}.test.ts`)

/** Tests that say most of several hosts for their time: they run with two and three hosts in the whole suite. */
const hostFiles = [
  'agents/interruptions',
  'agents/script-status',
  'event-stream/event-types',
  'images/image-versions',
  'jobs/jobs',
  'jobs/queue',
  'jobs/queue-end',
  'jobs/tasks',
].map(name => `${name}.test.ts`)

/** Tests of connections, sizes, times and refusals, which run once more with each connection over TLS. */
const secureFiles = [
  'http/limits',
  'http/methods',
  'http/pipelining',
  'http/processing-order',
  'http/slow-sender',
  'http/stall',
  'http/token',
  'http/unknown-callers',
  'http/wire',
].map(name => `${name}.test.ts`)

/** Tests of the files of the default store, or with a second store in one folder: they are left out with PostgreSQL. */
const ownFiles = [
  'access/kept-sessions',
  'access/users',
  'commands/backup-download',
  'import-ogadmbd/imported-host',
  'images/image-check',
  'jobs/full-disk',
  'jobs/outputs',
]

/** Tests of what each host has of its own: they are left out with several hosts. */
const oneHostFiles = [
  // It is about one host with a fleet in memory, and starts no test host.
  'agents/shared-outputs',
  // Only the host that is asked to drains: what the agents' host runs or has queued is not counted.
  'cli/drain',
  'jobs/drain',
  // They emit events on the bus of one host, which others get later, and no more than 10,000 at once.
  'event-stream/coalesced',
  // Its store records the calls of the interface of a single host.
  'http/reads',
  // Each host reads so many logs.
  'images/many-logs',
  // They read what a part waits for, which only the host that looks after its client knows.
  'images/slots',
  'jobs/conditions',
]

/**
 * In the text of a file that changes its process for good: its connections are over TLS, or a server ends with it. And of
 * one that measures how often its process is woken.
 */
const changesProcess = /transport\.isSecure = true|'beforeExit'|voluntary_ctxt_switches/

/** In the text of a file that opens pages. */
const browserPrograms = /\bstart(Chromium|ConsoleLab)\b/

export interface RunOptions {
  /** "postgres": the store of all selected tests. */
  store?: string | undefined
  /** How many hosts each test host has, which then share a store in PostgreSQL: see `harness/other-hosts.ts`. */
  hosts?: string | undefined
}

/**
 * All files below `folder` whose path contains one of `selectors`, or all. With a store or hosts each of them runs with
 * these; without, some run over TLS too, and if nothing is selected the shared ones with PostgreSQL, and some with two and
 * three hosts.
 */
export async function findRuns(folder: string, selectors: readonly string[], options: RunOptions): Promise<Runs> {
  const { hosts, store = hosts && 'postgres' } = options
  if (store !== undefined && store !== 'postgres') throw new Error(`--store: expected postgres, got ${store}`)
  if (hosts !== undefined && !/^[23]$/.test(hosts)) throw new Error(`--hosts: expected 2 or 3, got ${hosts}`)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .filter(name => selectors.length === 0 || selectors.some(part => name.includes(part)))
    .sort()
    .sort((a, b) => rank(a) - rank(b))
  const own = store === undefined ? names.map(name => toRun(folder, name)) : []
  if (store === undefined) own.push(...toSecureRuns(folder, names))
  const isWhole = store === undefined && selectors.length === 0
  const shared = store === 'postgres' ? names : isWhole ? names.filter(name => sharedFiles.includes(name)) : []
  const others: NamedRun[] = shared
    .filter(name => !ownFiles.some(prefix => name.startsWith(prefix)))
    .filter(name => hosts === undefined || !oneHostFiles.some(prefix => name.startsWith(prefix)))
    .map(name => ({ name, hosts }))
  if (isWhole) others.push(...hostFiles.flatMap(name => ['2', '3'].map(count => ({ name, hosts: count }))))
  if (others.length === 0) return { list: own, skipped: [], end: async () => {} }
  if (postgresPrograms === undefined) {
    return {
      list: own,
      skipped: [`${others.length} files with the store postgres skipped: no postgresql`],
      end: async () => {},
    }
  }
  return addPostgresRuns(folder, own, others)
}

interface NamedRun {
  name: string
  hosts: string | undefined
}

async function addPostgresRuns(folder: string, own: Run[], runs: NamedRun[]): Promise<Runs> {
  const removeFiles = await keepNewServer()
  const server: PostgresServer = await startPostgres()
  const { host, database, user } = server.storeOptions('')
  const environment = toEnvironment({ host, database, user })
  const shared = runs.map(({ name, hosts }) => {
    const run = toRun(folder, name)
    if (hosts === undefined) return { ...run, title: `postgres ${name}`, environment }
    return { ...run, title: `${hosts} hosts ${name}`, environment: { ...environment, [hostsVariable]: hosts } }
  })
  const end = async () => void (await Promise.all([server.stop(), removeFiles()]))
  return { list: [...own, ...shared], skipped: [], end }
}

const secureEnvironment = { [secureVariable]: 'yes' }

/** The same files once more, with each connection over TLS. */
const toSecureRuns = (folder: string, names: string[]): Run[] =>
  names
    .filter(name => secureFiles.includes(name))
    .map(name => ({ ...toRun(folder, name), title: `TLS ${name}`, environment: secureEnvironment }))

const noEnvironment = {}

/** `name` is the path below `folder`. */
export function toRun(folder: string, name: string): Run {
  const file = join(folder, name)
  const text = readFileSync(file, 'utf8')
  return {
    file,
    title: name,
    environment: noEnvironment,
    isAlone: changesProcess.test(text),
    needsBrowser: browserPrograms.test(text),
  }
}

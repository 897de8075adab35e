// Which test files run, and with which store.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { toEnvironment } from '../harness/default-store.ts'
import { type PostgresServer, postgresPrograms, startPostgres } from '../harness/postgres.ts'

export interface Run {
  /** Absolute path. */
  file: string
  /** Path below test/, after the name of the store where it is not that of the tests. */
  title: string
  environment: Record<string, string>
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
  'jobs/job-list',
  'jobs/jobs',
  'jobs/procedures',
  'jobs/queue',
  'jobs/queue-end',
  'jobs/queue-restart',
  'jobs/tasks',
  'schedules/schedules',
].map(name => `${name}.test.ts`)

/** Tests of the files of the default store, or with a second store in one folder: they are left out with PostgreSQL. */
const ownFiles = [
  'access/kept-sessions',
  'access/users',
  'commands/backup-download',
  'import-ogadmbd/imported-host',
  'jobs/full-disk',
  'jobs/outputs',
]

/** The files that take longest, in this order: they start first, so that no worker is left alone with one of them. */
const longFiles = [
  'attack/attack',
  'stores/postgres',
  'stores/postgres-shared',
  'http/over-tls',
  'console/record-pages',
  'console/accessibility',
  'host/package',
  'host/program',
  'host/log-output',
  'host/token-rotation',
  'host/kill',
  'stores/power-cut',
  'cli/shell',
  'console/actions',
  'console/session-story',
  'console/commands-story',
  'console/adopt-story',
  'console/restart-story',
  'stores/lowdb',
  'modules/many-files',
  'cli/check-commands',
  'access/users',
  'http/foreign-page',
  'modules/reload-under-load',
  'system/watchdog',
  'access/failed-credentials',
  'http/slow-sender',
  'access/rights-matrix',
  'http/stall',
  'http/tls',
  'commands/exercise',
  'computers/client-export',
].map(name => `${name}.test.ts`)
const rank = (name: string) => (longFiles.includes(name) ? longFiles.indexOf(name) : longFiles.length)

/**
 * All files below `folder` whose path contains one of `selectors`, or all. With `store` "postgres" each of them runs with
 * that store; without `store` the shared ones run with it too, if nothing is selected.
 */
export async function findRuns(folder: string, selectors: readonly string[], store: string | undefined): Promise<Runs> {
  if (store !== undefined && store !== 'postgres') throw new Error(`--store: expected postgres, got ${store}`)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .filter(name => selectors.length === 0 || selectors.some(part => name.includes(part)))
    .sort()
    .sort((a, b) => rank(a) - rank(b))
  const own = store === undefined ? names.map(name => toRun(folder, name)) : []
  const isWhole = store === undefined && selectors.length === 0
  const shared = store === 'postgres' ? names : isWhole ? names.filter(name => sharedFiles.includes(name)) : []
  const others = shared.filter(name => !ownFiles.some(prefix => name.startsWith(prefix)))
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

async function addPostgresRuns(folder: string, own: Run[], names: string[]): Promise<Runs> {
  const server: PostgresServer = await startPostgres()
  const { host, database, user } = server.storeOptions('')
  const environment = toEnvironment({ host, database, user })
  const list = [...own, ...names.map(name => ({ ...toRun(folder, name), title: `postgres ${name}`, environment }))]
  return { list, skipped: [], end: () => server.stop() }
}

const toRun = (folder: string, name: string): Run => ({ file: join(folder, name), title: name, environment: {} })

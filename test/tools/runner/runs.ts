// Which test files run, and with which store.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toEnvironment } from '../../harness/default-store.ts'
import { hostsVariable } from '../../harness/hosts-variable.ts'
import { keepNewServer, type PostgresServer, postgresPrograms, startPostgres } from '../../harness/postgres.ts'
import { secureVariable } from '../../harness/transport.ts'

export interface Run {
  /** Absolute path. */
  file: string
  /** Path below test/, after the name of the store where it is not that of the tests. */
  title: string
  environment: Record<string, string>
  declared: Declared
  needsBrowser: boolean
}

export interface Runs {
  list: Run[]
  /** Lines about runs that this machine cannot do. */
  skipped: string[]
  /** The server of these runs ends. */
  end(): Promise<void>
}

/** What a test file says of its runs: `export const runs = { tls: true }`, with true, false or a number. */
interface Declared {
  /** It takes so long on a quiet machine, and starts early: no worker is to be left alone with it. */
  seconds?: number
  /** In a process of its own: it changes its process for good, or measures what wakes it. */
  alone?: boolean
  /** Once more with each connection over TLS. */
  tls?: boolean
  /** Also with PostgreSQL when all files run; false: never, as it is about the default store. */
  postgres?: boolean
  /** Also with three hosts when all files run; false: never, as it is about what each host has of its own. */
  hosts?: boolean
}

const declaration = /^export const runs = \{(.*)\}$/m
const declaredKeys = ['seconds', 'alone', 'tls', 'postgres', 'hosts']

function readDeclared(file: string, text: string): Declared {
  const entries = [...(declaration.exec(text)?.[1] ?? '').matchAll(/(\w+): (\w+)/g)]
  const declared = entries.map(([, key = '', value = '']): [string, unknown] => [key, JSON.parse(value)])
  const unknown = declared.find(([key]) => !declaredKeys.includes(key))
  if (unknown) throw new Error(`${file}: runs: expected one of ${declaredKeys.join(', ')}, got ${unknown[0]}`)
  return Object.fromEntries(declared)
}

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
 * these; without, each file says what else it runs with.
 */
export async function findRuns(folder: string, selectors: readonly string[], options: RunOptions): Promise<Runs> {
  const { hosts, store = hosts && 'postgres' } = options
  if (store !== undefined && store !== 'postgres') throw new Error(`--store: expected postgres, got ${store}`)
  if (hosts !== undefined && !/^[23]$/.test(hosts)) throw new Error(`--hosts: expected 2 or 3, got ${hosts}`)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .filter(name => selectors.length === 0 || selectors.some(part => name.includes(part)))
    .sort()
    .map(name => toRun(folder, name))
    .sort((a, b) => (b.declared.seconds ?? 0) - (a.declared.seconds ?? 0))
  const ordinary = store === undefined ? [...files, ...toSecureRuns(files)] : []
  const isWhole = store === undefined && selectors.length === 0
  const others: HostsRun[] = files
    .filter(({ declared }) => (store ? declared.postgres !== false : isWhole && declared.postgres))
    .filter(({ declared }) => hosts === undefined || declared.hosts !== false)
    .map(run => ({ run, hosts }))
  if (isWhole) {
    others.push(...files.filter(({ declared }) => declared.hosts).map(run => ({ run, hosts: '3' })))
  }
  if (others.length === 0) return { list: ordinary, skipped: [], end: async () => {} }
  if (postgresPrograms === undefined) {
    return {
      list: ordinary,
      skipped: [`${others.length} files with the store postgres skipped: no postgresql`],
      end: async () => {},
    }
  }
  return addPostgresRuns(ordinary, others)
}

interface HostsRun {
  run: Run
  hosts: string | undefined
}

async function addPostgresRuns(ordinary: Run[], runs: HostsRun[]): Promise<Runs> {
  const removeFiles = await keepNewServer()
  const server: PostgresServer = await startPostgres()
  const { host, database, user } = server.storeOptions('')
  const environment = toEnvironment({ host, database, user })
  const shared = runs.map(({ run, hosts }) =>
    hosts === undefined
      ? { ...run, title: `postgres ${run.title}`, environment }
      : { ...run, title: `${hosts} hosts ${run.title}`, environment: { ...environment, [hostsVariable]: hosts } },
  )
  const end = async () => void (await Promise.all([server.stop(), removeFiles()]))
  return { list: [...ordinary, ...shared], skipped: [], end }
}

const secureEnvironment = { [secureVariable]: 'yes' }

/** The same files once more, with each connection over TLS. */
const toSecureRuns = (files: readonly Run[]): Run[] =>
  files
    .filter(({ declared }) => declared.tls)
    .map(run => ({ ...run, title: `TLS ${run.title}`, environment: secureEnvironment }))

const noEnvironment = {}

/** `name` is the path below `folder`. */
export function toRun(folder: string, name: string): Run {
  const file = join(folder, name)
  const text = readFileSync(file, 'utf8')
  return {
    file,
    title: name,
    environment: noEnvironment,
    declared: readDeclared(name, text),
    needsBrowser: browserPrograms.test(text),
  }
}

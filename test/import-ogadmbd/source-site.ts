// Starts a MariaDB server with an ogAdmBD database of 2,000 computers, and runs imports of it.
import { readdirSync } from 'node:fs'
import type { Store } from '../../stores/store.ts'
import { type CliShell, openShell, type RunResult } from '../harness/cli-shell.ts'
import { type MariadbServer, startMariadb } from '../harness/mariadb.ts'
import { openIn } from '../harness/store-folders.ts'
import { createTables } from './create-tables.ts'
import { fillRecords } from './fill-records.ts'
import { fillWork } from './fill-work.ts'

export interface ImportReport {
  written: boolean
  tables: { table: string; read: number; kept: number; left_out: number }[]
  problems: { table: string; id: string; what: string; reason: string }[]
}

export interface SourceSite {
  server: MariadbServer
  shell: CliShell
  /** A file with the password of the user `reader`, who may only read. */
  passwordFile: string
  /** Runs an import into the store `name`, in this process. */
  importInto(name: string, ...args: string[]): Promise<RunResult>
  /** The same with --json. */
  reportOf(name: string, ...args: string[]): Promise<ImportReport>
  /** An options file with the store `name`. */
  configOf(name: string): string
  /** The folder of that store. */
  dataOf(name: string): string
  /** Reads the store. */
  withStore(name: string, work: (store: Store) => Promise<void>): Promise<void>
  /** Files in that folder; none without a folder. */
  filesOf(name: string): string[]
  stop(): Promise<void>
}

const password = 'ñ secret/1'

/** Half of the tables are InnoDB, the others MyISAM. */
const engine = (table: string) => (table.length % 2 === 0 ? 'InnoDB' : 'MyISAM')

export async function startSourceSite(): Promise<SourceSite> {
  const server = await startMariadb()
  const administrator = await server.connect()
  await createTables(administrator, 'ogAdmBD', { engine })
  await fillRecords(administrator)
  await fillWork(administrator)
  await administrator.query('CREATE USER reader IDENTIFIED BY ?', [password])
  await administrator.query('GRANT SELECT ON *.* TO reader')
  await administrator.end()
  const shell = openShell()
  const passwordFile = shell.write('password', `${password}\n`)
  const configOf = (name: string) => shell.write(`${name}.json`, JSON.stringify({ store: { path: `./${name}` } }))
  const dataOf = (name: string) => `${shell.folder}/${name}`
  const importInto = (name: string, ...args: string[]) => {
    // The last one counts where `args` have an option again.
    const options = ['--socket', server.socket, '--password-file', passwordFile, '--config', configOf(name)]
    const url = args[0]?.startsWith('mysql:') ? [] : ['mysql://reader@localhost/ogAdmBD']
    return shell.fleet('store', 'import-ogadmbd', ...url, ...options, ...args)
  }
  return {
    server,
    shell,
    passwordFile,
    importInto,
    async reportOf(name, ...args) {
      const { code, out, error } = await importInto(name, ...args, '--json')
      if (code !== 0) throw new Error(error)
      return JSON.parse(out)
    },
    configOf,
    dataOf,
    async withStore(name, work) {
      const { store } = await openIn(dataOf(name))
      await work(store).finally(() => store.close())
    },
    filesOf(name) {
      try {
        return readdirSync(dataOf(name))
      } catch {
        return []
      }
    },
    async stop() {
      await server.stop()
      shell.remove()
    },
  }
}

/** What the report has about one row: `what: reason`. */
export const reasonsOf = ({ problems }: ImportReport, table: string, id: string): string[] =>
  problems.filter(each => each.table === table && each.id === id).map(({ what, reason }) => `${what}: ${reason}`)

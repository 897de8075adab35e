// Measures the adapter `postgres` on a private server with fsync on: each figure beside a loop of `pg` that sends the same
// statements with the same parameters to a copy of the database.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import open from '../../../../stores/postgres/index.ts'
import { startPostgres } from '../../../harness/postgres.ts'
import { count, type Measurement, type Row } from '../measurement.ts'
import { measureSide, type Round, rowsOf } from '../postgres/rounds.ts'
import { BarePool, installRecorder, record } from '../postgres/statement-recorder.ts'
import { fill } from '../postgres/store-fleet.ts'
import { measureAll } from '../postgres/works.ts'

const run = promisify(execFile)

/** As the option `pool` has it by default. */
const connections = 10
const schema = 'fleet'
const log = { info() {}, warn: (where: string, what: string) => console.error(where, what) }

type Server = Awaited<ReturnType<typeof startPostgres>>

const optionsOf = (server: Server, database: string) => ({ ...server.storeOptions(schema), database, path: '' })

export const postgres: Measurement = {
  name: 'postgres',
  sizes: [1_000, 10_000],
  async run(bench, size, { seconds = 2 }) {
    installRecorder()
    const server = await startPostgres({ fsync: true })
    bench.atEnd(() => server.stop())
    await build(server, size)
    const rows = await measureStart(server, size)
    const { host, user } = server.storeOptions(schema)
    const store = await open(optionsOf(server, 'adapter'), log)
    bench.atEnd(() => store.close())
    const bare = new BarePool({ host, user, database: 'bare' }, schema, connections)
    bench.atEnd(() => bare.end())
    const name = `${count(size)} computers`
    await measureAll({
      ...{ store, size, seconds },
      compare: (callers, work) => compare(bare, callers, work),
      report: (figure, calls, rounds) => void rows.push(...rowsOf(`${name}: ${figure}`, calls, rounds)),
    })
    rows.push({ figure: `${name}: transactions that failed in the bare loop`, measured: bare.failures, unit: '' })
    return rows
  },
}

/** Two databases with the same content. */
async function build(server: Server, size: number): Promise<void> {
  const client = await server.connect()
  await client.query('create database adapter')
  await client.query('alter database adapter set synchronous_commit to off')
  const store = await open(optionsOf(server, 'adapter'), { info() {}, warn() {} })
  await fill(store, size)
  await store.close()
  await client.query('alter database adapter reset synchronous_commit')
  await analyze(server)
  await client.query('create database bare template adapter')
  await client.query('checkpoint')
  await client.end()
}

/** Statistics of the tables, which autovacuum gathers elsewhere. */
async function analyze(server: Server): Promise<void> {
  const { host, user } = server.storeOptions(schema)
  const client = new Client({ host, user, database: 'adapter' })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

async function measureStart(server: Server, size: number): Promise<Row[]> {
  const program = fileURLToPath(new URL('../postgres/start.ts', import.meta.url))
  const args = ['--import', 'tsx', program, JSON.stringify(optionsOf(server, 'adapter')), `${size}`]
  const { start, memory, after } = JSON.parse((await run(process.execPath, args)).stdout)
  const name = `${count(size)} computers`
  return [
    { figure: `${name}: start`, measured: start, unit: 'ms' },
    { figure: `${name}: resident`, measured: memory, unit: 'MB' },
    { figure: `${name}: resident after the first request of scopes and 5,000 reports`, measured: after, unit: 'MB' },
  ]
}

async function compare(bare: BarePool, callers: number, work: () => Promise<unknown>): Promise<Round> {
  let units: Awaited<ReturnType<typeof record>> = []
  const adapter = await measureSide(async () => {
    units = await record(work)
  })
  return { adapter, bare: await measureSide(() => bare.replay(units, callers)) }
}

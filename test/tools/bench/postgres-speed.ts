// Measures the adapter `postgres` on a private server with fsync on: each figure beside a loop of `pg` that sends the same
// statements with the same parameters to a copy of the database.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import open from '../../../stores/postgres/index.ts'
import { startPostgres } from '../../harness/postgres.ts'
import { measureInventories, measureJob, measureReads, measureScopes, measureWrites } from './postgres-measures.ts'
import { type Bench, measureSide, print, type Round } from './rounds.ts'
import { BarePool, installRecorder, record } from './statement-recorder.ts'
import { fill } from './store-fleet.ts'

const run = promisify(execFile)

/** As the option `pool` has it by default. */
const connections = 10
const schema = 'fleet'
const log = { info() {}, warn: (where: string, what: string) => console.error(where, what) }

export async function measurePostgres(sizes: readonly number[], seconds: number): Promise<void> {
  installRecorder()
  for (const size of sizes) {
    const server = await startPostgres({ fsync: true })
    try {
      await measureSize(server, size, seconds)
    } finally {
      await server.stop()
    }
  }
}

type Server = Awaited<ReturnType<typeof startPostgres>>

const optionsOf = (server: Server, database: string) => ({ ...server.storeOptions(schema), database, path: '' })

async function measureSize(server: Server, size: number, seconds: number): Promise<void> {
  await build(server, size)
  await printStart(server, size)
  const { host, user } = server.storeOptions(schema)
  const store = await open(optionsOf(server, 'adapter'), log)
  const bare = new BarePool({ host, user, database: 'bare' }, schema, connections)
  try {
    console.log('| measurement | adapter | bare loop | ratio of times | of CPU | longest stall (its CPU) |')
    console.log('|---|---|---|---|---|---|')
    const bench: Bench = { store, size, seconds, print, compare: (callers, work) => compare(bare, callers, work) }
    await measureWrites(bench)
    await measureInventories(bench)
    await measureJob(bench)
    await measureReads(bench)
    await measureScopes(bench)
    console.log(`\ntransactions that failed in the bare loop: ${bare.failures}\n`)
  } finally {
    await store.close()
    await bare.end()
  }
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

async function printStart(server: Server, size: number): Promise<void> {
  const program = fileURLToPath(new URL('postgres-start.ts', import.meta.url))
  const args = ['--import', 'tsx', program, JSON.stringify(optionsOf(server, 'adapter')), `${size}`]
  const { start, memory, after } = JSON.parse((await run(process.execPath, args)).stdout)
  const times = `${memory} MB, ${after} MB after the first request of scopes and 5,000 reports`
  console.log(`${size} computers: start ${start.toFixed(0)} ms, resident ${times}\n`)
}

async function compare(bare: BarePool, callers: number, work: () => Promise<unknown>): Promise<Round> {
  let units: Awaited<ReturnType<typeof record>> = []
  const adapter = await measureSide(async () => {
    units = await record(work)
  })
  return { adapter, bare: await measureSide(() => bare.replay(units, callers)) }
}

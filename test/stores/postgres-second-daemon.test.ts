// What a store in PostgreSQL adds to the conformance suite: hosts that share a server, and a server that is killed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open from '../../stores/postgres/index.ts'
import { crash } from '../conformance/crashes.ts'
import { type SharedStore, sharedEngine } from '../conformance/one-engine-two-stores.ts'
import { suites } from '../conformance/rule.ts'
import { addLab } from '../conformance/samples.ts'
import { procedure, schedule } from '../conformance/work-samples.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { failure, silent } from '../harness/store-folders.ts'

export const runs = { seconds: 42, alone: true }

if (postgresPrograms === undefined) skipFile('postgresql')

/** Path of the adapter's file. */
const adapter = fileURLToPath(new URL('../../stores/postgres/index.ts', import.meta.url))

const server = await startPostgres({ fsync: true })
process.once('beforeExit', () => server.stop())

let schemas = 0

function newOptions() {
  schemas += 1
  return { ...server.storeOptions(`shared_${schemas}`), path: '', member: 'test' }
}

async function openNew(): Promise<SharedStore> {
  const options = newOptions()
  const stores = [await open(options, silent)]
  const another = async () => {
    const store = await open(options, silent)
    stores.push(store)
    return store
  }
  const remove = async () => void (await Promise.all(stores.map(store => store.close())))
  // Two stores that are open together take the place of opening again.
  return { adapter, options, store: stores[0] as (typeof stores)[number], another, reopen: another, remove }
}

suites('postgres', { sharedEngine }, openNew).run()

const test = suite('postgres store: one server')

test('of hosts that open an empty database at the same moment one makes the tables', async () => {
  const options = newOptions()
  const lines: string[] = []
  const log = { info: (_: string, what: string) => void lines.push(what), warn() {} }
  const stores = await Promise.all(Array.from({ length: 6 }, () => open(options, log)))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /schema shared_\d+: tables created$/)
  await Promise.all(stores.map((store, at) => store.centers.add({ name: `center ${at}`, comment: '' })))
  assert.is((await stores[0]?.scopes())?.length, 6)
  await Promise.all(stores.map(store => store.close()))
})

test('tables of a later version are refused with one line and not changed', async () => {
  const options = newOptions()
  await (await open(options, silent)).close()
  const client = await server.connect()
  await client.query(`insert into ${options.schema}.schema_versions (version) values (99)`)
  for (const readonly of [false, true]) {
    assert.match(
      await failure(open({ ...options, readonly }, silent)),
      /^store: tables of schema shared_\d+: expected version \d+, got 99$/,
    )
  }
  await client.end()
})

test('a database that cannot be used is one line with its place and the reason', async () => {
  const options = newOptions()
  const rules = join(options.host, 'data', 'pg_hba.conf')
  writeFileSync(rules, `local all locked scram-sha-256\n${readFileSync(rules, 'utf8')}`)
  const passwordFile = join(options.host, 'wrong')
  writeFileSync(passwordFile, 'wrong\n')
  const client = await server.connect()
  await client.query(`
    select pg_reload_conf(); create schema others;
    create role locked login password 'right'; create role guest login;
  `)
  await client.end()
  const reasons: [object, string][] = [
    [{ user: 'locked', password_file: passwordFile }, 'password authentication failed for user "locked"'],
    [{ user: 'locked' }, 'the server asks for a password, and none is set'],
    [{ user: 'nobody' }, 'role "nobody" does not exist'],
    [{ database: 'missing' }, 'database "missing" does not exist'],
    [{ user: 'guest', schema: 'fleet' }, 'permission denied for database postgres'],
    [{ user: 'guest', schema: 'others' }, 'the user may not use the schema'],
    [{ host: '127.0.0.1', port: 1 }, 'connect ECONNREFUSED 127.0.0.1:1'],
  ]
  for (const [change, reason] of reasons) {
    const { host, port = 5432, database, schema }: Record<string, unknown> = { ...options, ...change }
    const place = `store: database ${database} at ${host}:${port}, schema ${schema}`
    assert.is(await failure(open({ ...options, ...change }, silent)), `${place}: PostgreSQL: ${reason}`)
  }
  const lineOf = (change: object) => failure(open({ ...options, ...change }, silent))
  assert.is(await lineOf({ schema: 'A-b' }), 'store.schema: expected small letters, digits and _, got "A-b"')
  assert.match(await lineOf({ password_file: '/nowhere' }), /^store\.password_file: ENOENT.*$/)
})

test('storing computers without a change reaches the disk: it shows whether the store can be written', async () => {
  const options = newOptions()
  const store = await open(options, silent)
  await addLab(store, '10.0.0.1')
  const before = await store.computers.find('10.0.0.1')
  const client = await server.connect()
  const versions = () => client.query(`select xmin::text from ${options.schema}.computers`).then(({ rows }) => rows)
  const version = await versions()
  assert.is(await store.computers.update(['10.0.0.1'], {}), 'updated')
  assert.not.equal(await versions(), version)
  assert.equal(await store.computers.find('10.0.0.1'), before)
  await client.end()
  await store.close()
})

test('disks and ids beyond the largest ones are stored or unknown, and no error', async () => {
  const store = await open(newOptions(), silent)
  await addLab(store, '10.0.0.1')
  for (const number of [2 ** 31, 2 ** 53, 1e19, 1e300]) {
    assert.is(await store.inventory.setSoftware('10.0.0.1', number, 1, { os: '', programs: [] }), true)
    assert.equal(await store.inventory.software('10.0.0.1', number, number), [])
    assert.is(await store.rooms.find(number), undefined)
    assert.is(await store.images.delete(number), undefined)
    const scope = { type: 'room', id: number } as const
    assert.type(await store.tasks.add({ ...procedure(1, `task ${number}`), scope }), 'number')
    assert.type(await store.schedules.add(schedule({ task: number })), 'number')
  }
  await store.close()
})

test('acknowledged writes survive a server that is killed, and no write is stored partially', async () => {
  const options = newOptions()
  const store = await open(options, silent)
  await addLab(store)
  const victim = { kill: () => server.kill(), start: () => server.start() }
  const { acknowledged, lost, partial } = await crash(adapter, options, 2, () => {}, victim)
  assert.ok(acknowledged > 30)
  assert.equal({ lost, partial }, { lost: 0, partial: 0 })
  // A store that was open all the time goes on.
  assert.is((await store.scopes()).length, 1)
  await store.computers.update(['0.1.1'], {})
  await store.close()
})

test.run()

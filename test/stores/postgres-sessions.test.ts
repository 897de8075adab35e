// Who uses a database of PostgreSQL: one process alone or the hosts of a fleet, and what no other user of it can disturb.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open, { openCluster } from '../../stores/postgres/index.ts'
import { openShell } from '../harness/cli-shell.ts'
import { join } from '../harness/cluster-stores.ts'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { failure, silent } from '../harness/store-folders.ts'
import { nodeArguments } from '../tools/runner/bundled-file.ts'

export const runs = { seconds: 22 }

if (postgresPrograms === undefined) skipFile('postgresql')

const server = await startPostgres({ fsync: true })
const client = await server.connect()
const test = suite('sessions of postgres')
test.after(() => server.stop())

let schemas = 0

function newOptions() {
  schemas += 1
  return { ...server.storeOptions(`sessions_${schemas}`), path: '' }
}

const member = { member: 'north' }
const own = `process ${process.pid} on ${hostname()}`
const since = ', since \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'
const center = (name: string) => ({ name, comment: '' })

test('a second process is refused with one line that names the first one, unless both are hosts of a fleet', async () => {
  const [alone, fleet] = [newOptions(), newOptions()]
  const stores = [await open(alone, silent), await open({ ...fleet, ...member }, silent)]
  stores.push(await open({ ...fleet, ...member }, silent), await open({ ...alone, readonly: true }, silent))
  const [second, host, cluster, lone] = await Promise.all([
    failure(open(alone, silent)),
    failure(open({ ...alone, ...member }, silent)),
    failure(openCluster({ ...alone, ...member })),
    failure(open(fleet, silent)),
  ])
  const none = 'expected no other process that uses the database'
  const hosts = 'expected only hosts with the option cluster'
  const lines = [
    [second, none, own],
    [host, hosts, own],
    [cluster, hosts, own],
    [lone, none, `host north, ${own}`],
  ]
  for (const [line = '', expected = '', holder = ''] of lines) {
    assert.match(
      line,
      new RegExp(`^store: database postgres at .*, schema sessions_\\d: ${expected}, got ${holder}${since}$`),
    )
  }
  await Promise.all(stores.map(store => store.close()))
  for (const options of [alone, { ...alone, ...member }, fleet]) await (await open(options, silent)).close()
})

test('copy, restore and import are refused while a daemon or a fleet uses the database, also with --force', async () => {
  const [alone, fleet, source] = [newOptions(), newOptions(), newOptions()]
  const stores = [await open(alone, silent), await open({ ...fleet, ...member }, silent)]
  for (const store of stores) await store.centers.add(center('Main'))
  await (await open(source, silent)).close()
  const shell = openShell()
  const backup = `${shell.folder}/backup.jsonl`
  const configOf = (name: string, store: object) =>
    shell.write(`${name}.json`, JSON.stringify({ store: { ...store, path: './data' } }))
  const config = configOf('source', source)
  assert.is((await shell.fleet('store', 'backup', backup, '--config', config)).code, 0)
  const runs = [alone, fleet].flatMap((target, index) => {
    const copy = ['copy', '--to', JSON.stringify(target), '--config', config]
    const restore = ['restore', backup, '--config', configOf(`target-${index}`, target)]
    const fill = ['import-ogadmbd', 'mysql://user@127.0.0.1:1/ogAdmBD', '--config', configOf(`target-${index}`, target)]
    return [copy, [...copy, '--force'], restore, [...restore, '--force'], fill]
  })
  for (const { code, out, error } of await Promise.all(runs.map(args => shell.fleet('store', ...args)))) {
    assert.equal([code, out], [1, ''])
    // Before it, a warning that the other copies use the source.
    assert.match(error, /(?:^|\n)[^\n]*expected no other process that uses the database, got [^\n]*\n$/)
  }
  for (const store of stores) {
    assert.equal(
      (await store.scopes()).map(({ name }) => name),
      ['Main'],
    )
    await store.close()
  }
  shell.remove()
})

test('a process that is killed has the database no longer', async () => {
  const options = newOptions()
  await (await open(options, silent)).close()
  const program = fileURLToPath(new URL('../conformance/second-writer.ts', import.meta.url))
  const adapter = fileURLToPath(new URL('../../stores/postgres/index.ts', import.meta.url))
  const child = spawn(process.execPath, [...nodeArguments(program), adapter, JSON.stringify(options)])
  await once(child.stdout, 'data')
  assert.match(await failure(open(options, silent)), new RegExp(`process ${child.pid} `))
  const ended = once(child, 'close')
  child.kill('SIGKILL')
  await ended
  await (await open(options, silent)).close()
})

/** Another process gets the database while the store has lost its session; `pid` is that of the other one's connection. */
async function replace(options: { schema: string }, pid: string): Promise<void> {
  const table = `${options.schema}.store_sessions`
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  await client.query(`
    insert into ${table} (id, pid, role, began, period, alone, tables, holder)
    select 'other', ${pid}, usename, backend_start, 1000, true, (select max(tables) from ${table}), 'process 1 on other'
    from pg_stat_activity where pid = pg_backend_pid()
  `)
  await endSessions()
  await client.query('commit')
}

const endSessions = () =>
  client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fleet-host session'`)

for (const [name, pid] of Object.entries({ 'has the database': 'pg_backend_pid()', 'had it meanwhile': '0' })) {
  test(`a store that lost its session writes nothing when another process ${name}`, async () => {
    const options = newOptions()
    const lines: string[] = []
    const store = await open(options, { info() {}, warn: (_, line) => void lines.push(line) })
    await replace(options, pid)
    await pollUntil(() => lines.some(line => line.endsWith('; restart this daemon')))
    const problem = await failure(store.centers.add(center('Late')))
    assert.match(problem, /^expected no other process that uses the database, got .*; restart this daemon$/)
    assert.is(lines.filter(line => line === problem).length, 1)
    assert.equal(await store.scopes(), [])
    await store.close()
  })
}

test('a store that lost its session writes nothing until it has it again', async () => {
  const options = newOptions()
  const store = await open(options, silent)
  const locker = await server.connect()
  await locker.query(`begin; lock table ${options.schema}.store_sessions in access exclusive mode`)
  const pids = async () => {
    const { rows } = await client.query(
      `select pid from pg_stat_activity where application_name = 'fleet-host session'`,
    )
    return rows.map(({ pid }) => Number(pid))
  }
  const before = await pids()
  await endSessions()
  await pollUntil(async () => (await pids()).some(pid => !before.includes(pid)))
  assert.is(await failure(store.centers.add(center('Early'))), 'PostgreSQL: the session of this process is lost')
  await locker.query('commit')
  await locker.end()
  await pollUntil(async () => (await failure(store.centers.add(center('Main')))) === 'no failure')
  assert.equal(
    (await store.scopes()).map(({ name }) => name),
    ['Main'],
  )
  await store.close()
})

test('hosts of an older version write nothing more when the tables are newer, and a newer one waits for their end', async () => {
  const options = { ...newOptions(), ...member }
  const lines: string[] = []
  const store = await open(options, { info() {}, warn: (_, line) => void lines.push(line) })
  const cluster = await openCluster(options)
  const key = await join(cluster, 'north')
  const table = `${options.schema}.store_sessions`
  await client.query(`update ${table} set tables = tables - 1`)
  assert.match(
    await failure(open(options, silent)),
    /expected only hosts with tables of version \d+, got host north, .* with tables of version \d+$/,
  )
  await client.query(`insert into ${options.schema}.schema_versions (version) values (99)`)
  const expected = /^tables of schema sessions_\d+: expected version \d+, got 99$/
  await pollUntil(() => lines.some(line => expected.test(line)))
  assert.match(await failure(store.centers.add(center('Late'))), expected)
  await pollUntil(async () => expected.test(await failure(cluster.members.beat(key, {}))))
  await store.close()
  await cluster.close()
})

test('a clock that differs from that of the server is a line, and one when it does not any more', async () => {
  const lines: string[] = []
  const note = (_: string, line: string) => void lines.push(line)
  const store = await open(newOptions(), { info: note, warn: note })
  const { now } = Date
  try {
    Date.now = () => now() + 5000
    await pollUntil(() => lines.some(line => /this machine's clock is [45]\.\d s before its clock/.test(line)))
  } finally {
    Date.now = now
  }
  await pollUntil(() => lines.some(line => line.includes('agree again')))
  await store.close()
})

test('after a crash of the server a store that is alone goes on', async () => {
  const options = newOptions()
  const store = await open(options, silent)
  await server.kill()
  assert.match(await failure(store.centers.add(center('Main'))), /^PostgreSQL: /)
  await server.start()
  await pollUntil(() =>
    store.centers.add(center('Main')).then(
      () => true,
      () => false,
    ),
  )
  await store.close()
})

test.run()

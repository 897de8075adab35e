// Members of a fleet in PostgreSQL, and how they are notified.
import * as assert from 'uvu/assert'
import open, { openCluster } from '../../stores/postgres/index.ts'
import type { ClusterStore } from '../../stores/store.ts'
import { agent, type ClusterStores, everything, hostValues, join, listen, publish } from '../harness/cluster-stores.ts'
import { clusterSuite } from '../harness/cluster-suite.ts'
import { pollUntil } from '../harness/poll.ts'
import { failure, silent } from '../harness/store-folders.ts'

export const runs = { seconds: 13 }

const { test, server, query } = await clusterSuite('postgres cluster', { fsync: true })

/** Ends the connections for notifications and the sessions that are open now. Resolves to their processes. */
const endSessions = async () => {
  const isSession = `application_name in ('fleet-host notifications', 'fleet-host session')`
  const rows = await query(`select pid, pg_terminate_backend(pid) from pg_stat_activity where ${isSession}`)
  return rows.map(({ pid }) => pid)
}

/** The processes that have a name. */
const holders = async ({ options }: ClusterStores) => {
  const rows = await query(`select pid from ${options.schema}.store_sessions where name is not null`)
  return rows.map(({ pid }) => pid)
}

const names = async ({ members }: ClusterStore) => (await members.list()).map(({ name }) => name)

test('members are listed in the order of their epochs, and a host that joins again is the last one', async ({
  fleet,
}) => {
  const a = await fleet.host('a')
  const b = await fleet.host('b')
  const [first] = await b.members.list()
  assert.match(first?.heartbeat ?? '', /^\d+\.\d+$/)
  assert.ok(Math.abs((first?.joined ?? 0) - Date.now()) < 10_000)
  assert.equal({ ...first, heartbeat: '', joined: 0 }, { ...hostValues('a'), ...a.key, heartbeat: '', joined: 0 })
  assert.is(await a.members.beat(a.key, { 'shell-run': 'x' }), true)
  const [beaten] = await a.members.list()
  assert.not.equal(beaten?.heartbeat, first?.heartbeat)
  assert.equal(beaten?.modules, { 'shell-run': 'x' })
  const again = await join(a, 'a')
  assert.ok(again.epoch > b.key.epoch)
  assert.is(await a.members.beat(a.key, {}), false)
  assert.equal(await names(b), ['b', 'a'])
})

test('a name belongs to one process until that has ended', async ({ fleet }) => {
  await fleet.host('a')
  const other = await openCluster(fleet.options)
  assert.is(await other.members.join(hostValues('a')), undefined)
  await join(other, 'b')
  await other.close()
  const third = await fleet.host('b')
  assert.equal(await names(third), ['a', 'b'])
  await third.members.leave(third.key, 'daemon stopped')
  assert.equal(await names(third), ['a'])
  assert.type((await fleet.host('b')).key.epoch, 'number')
})

test('a host that has written its heartbeat since is not removed, and of several one removes it', async ({ fleet }) => {
  const a = await fleet.host('a')
  const b = await fleet.host('b')
  await publish(b, { agents: [agent('10.0.0.1'), agent('10.0.0.2')] })
  await publish(a, { agents: [agent('10.0.0.2')] })
  const [, seen] = await a.members.list()
  assert.ok(seen)
  await b.members.beat(b.key, {})
  assert.is(await a.members.remove(seen, 'host gone'), undefined)
  const [, now] = await a.members.list()
  assert.ok(now)
  const removals = await Promise.all([a, b, a].map(({ members }) => members.remove(now, 'host gone')))
  assert.equal(
    removals.filter(removed => removed),
    [{ wasMember: true, agents: ['10.0.0.1'], ended: [] }],
  )
  assert.equal(await b.members.leave(b.key, 'daemon stopped'), { wasMember: false, agents: [], ended: [] })
  assert.is(await publish(b, { agents: [agent('10.0.0.3')], events: [{ time: 1, event: { type: 'x' } }] }), undefined)
  assert.is(await publish(b, { gone: ['10.0.0.2'], events: [{ time: 1, event: { type: 'x' } }] }), undefined)
  const { agents, events } = await a.publications.read(everything)
  assert.equal(
    agents.map(({ addr, name, gone }) => `${addr} ${name} ${gone}`),
    ['10.0.0.2 a false', '10.0.0.1 b true', '10.0.0.2 b true'],
  )
  assert.equal(events, [])
})

test('each host is notified of members, and of what is published', async ({ fleet }) => {
  const a = await fleet.host('a')
  const noted = listen(a)
  const count = (type: string) => noted.notifications.filter(notice => notice.type === type).length
  await pollUntil(() => noted.opened === 1)
  const b = await fleet.host('b')
  await publish(b, { agents: [agent('10.0.0.1')] })
  await pollUntil(() => count('published') === 1)
  const before = count('hosts')
  await b.members.leave(b.key, 'daemon stopped')
  await pollUntil(() => count('hosts') === before + 1)
  assert.ok(before >= 1)
  assert.equal([count('published'), noted.opened, noted.lost], [1, 1, 0])
})

test('a lost connection for notifications is opened again, with the name', async ({ fleet }) => {
  const a = await fleet.host('a')
  const noted = listen(a)
  for (const times of [1, 2]) {
    const ended = await endSessions()
    await pollUntil(() => noted.lost === times && noted.opened === times + 1)
    // The name is free when the server has ended the process of the session, and is then taken again.
    await pollUntil(async () => (await holders(fleet)).some(pid => !ended.includes(pid)))
  }
  const other = await openCluster(fleet.options)
  assert.is(await other.members.join(hostValues('a')), undefined)
  await publish(a, { events: [{ time: 1, event: { type: 'x' } }] })
  await pollUntil(() => noted.notifications.some(({ type }) => type === 'published'))
  assert.is(await a.members.beat(a.key, {}), true)
  await other.close()
})

test('a server that does not respond is noticed each time, and joining fails until it does', async ({ fleet }) => {
  const a = await fleet.host('a')
  const noted = listen(a)
  await pollUntil(() => noted.opened === 1)
  for (const times of [1, 2]) {
    server.signal('SIGSTOP')
    await pollUntil(() => noted.lost === times)
    const message = await failure(a.members.join(hostValues('b')))
    server.signal('SIGCONT')
    assert.is(message, 'PostgreSQL: the server does not respond')
    await pollUntil(() => noted.opened === times + 1)
  }
  assert.is(await a.members.beat(a.key, {}), true)
})

test('a user without rights on the tables cannot take what a host needs, nor stop it with notifications', async ({
  fleet,
}) => {
  const { options } = fleet
  const { schema } = options
  await query(`create role reports login; grant usage on schema ${schema} to reports`)
  const reports = await server.connect()
  await reports.query('set session authorization reports')
  const locking = failure(reports.query(`begin; lock table ${schema}.store_sessions in access share mode`))
  assert.match(await locking, /permission denied for table/)
  await reports.query('rollback')
  const key = (text: string) => `pg_try_advisory_lock(hashtextextended('${text}', 0))`
  await reports.query(`select ${key(`fleet-host fleet_${schema} h3`)}, ${key(`${schema} slots job 1`)}`)
  const second = `hashtext('${schema}')`
  await reports.query(`select pg_try_advisory_lock(hashtext('fleet-host tables'), ${second})`)
  await reports.query(`select pg_try_advisory_lock(hashtext('fleet-host schema'), ${second})`)
  await reports.query(`select pg_notify('fleet_${schema}', repeat('x', 7900)) from generate_series(1, 2000)`)
  const h3 = await fleet.host('h3')
  assert.is(await h3.members.beat(h3.key, {}), true)
  await (await open({ ...options, member: 'h4' }, silent)).close()
  const [session] = await query(`
    select count(*), count(backend_xid) + count(backend_xmin) as pinned from pg_stat_activity
    where application_name = 'fleet-host session'
  `)
  assert.equal(session, { count: '2', pinned: '0' })
  await reports.end()
})

test('a cluster that cannot be opened is one line', async ({ fleet }) => {
  const message = await failure(openCluster({ ...fleet.options, host: '127.0.0.1', port: 1 }))
  assert.match(
    message,
    /^store: database postgres at 127\.0\.0\.1:1, schema fleet_\d+: PostgreSQL: connect ECONNREFUSED/,
  )
})

test.run()

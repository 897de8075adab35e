// Hosts of a fleet with PostgreSQL: members, presence and events, and what an outage of the database leaves of them.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import type { FleetEvent } from '../../host/system/events.ts'
import open, { openCluster } from '../../stores/postgres/index.ts'
import type { ClusterStore } from '../../stores/store.ts'
import { workFor } from '../harness/cluster-work.ts'
import { type MemoryHost, openMemoryHost } from '../harness/memory-host.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 12 }

if (postgresPrograms === undefined) skipFile('postgresql')

const server = await startPostgres({ fsync: true })
const limits = { outputs_bytes: 1_000_000 }
const finished = (job: number): FleetEvent => ({ type: 'job-finished', job, name: 'x', by: 'admin', addrs: [] })
const jobsOf = (events: readonly FleetEvent[]) => events.flatMap(event => ('job' in event ? event.job : []))
const typesOf = (events: readonly FleetEvent[]) => events.map(({ type }) => type)

interface Fleet {
  hosts: MemoryHost[]
  stores: ClusterStore[]
  close(): Promise<void>
}

async function openFleet(schema: string, names: string[]): Promise<Fleet> {
  const options = { path: '', member: 'test', ...server.storeOptions(schema) }
  const store = await open(
    options,
    createLog(() => {}),
    limits,
  )
  const fleet: Fleet = {
    hosts: [],
    stores: [],
    async close() {
      for (const host of fleet.hosts) await host.close()
      await store.close()
    },
  }
  for (const name of names) {
    const own = await openCluster(options, limits)
    fleet.stores.push(own)
    fleet.hosts.push(await openMemoryHost({ store: own, name, modules: { probe: name } }))
  }
  return fleet
}

const test = suite('hosts with postgresql')
test.after(() => server.stop())

test('hosts see each other, their agents, and all events in one order', async () => {
  const fleet = await openFleet('order', ['a', 'b', 'c'])
  const [a, b, c] = fleet.hosts
  if (!a || !b || !c) throw new Error('expected three hosts')
  await a.until('three members', () => a.cluster.members().length === 3)
  equal(
    a.cluster.members().map(({ name, modules, version }) => [name, modules.probe, version]),
    ['a', 'b', 'c'].map(name => [name, name, '1.0.0']),
  )
  a.connect('10.0.0.1')
  for (let job = 1; job <= 300; job += 1) fleet.hosts[job % 3]?.events.emit(finished(job))
  for (const host of fleet.hosts) await host.until('all events', () => jobsOf(host.feed).length === 300)
  equal(jobsOf(b.feed), jobsOf(c.feed))
  equal(jobsOf(a.feed), jobsOf(c.feed))
  await b.until('the agent', () => b.cluster.remote.find('10.0.0.1')?.host === 'a')
  c.connect('10.0.0.1')
  await a.until('its new host', () => a.cluster.remote.find('10.0.0.1')?.host === 'c')
  await fleet.close()
})

test('a host that cannot write its heartbeat is gone after the lease, and comes back with its agents', async () => {
  const fleet = await openFleet('gone', ['a', 'b'])
  const [a, b] = fleet.hosts
  const [, store] = fleet.stores
  if (!a || !b || !store) throw new Error('expected two hosts')
  b.connect('10.0.0.1')
  await a.until('the agent', () => a.cluster.remote.has('10.0.0.1'))
  const { beat, join } = store.members
  store.members.beat = async () => {
    throw new Error('the network is down')
  }
  // An agent whose host is back before its end was published is not gone.
  store.members.join = async host => {
    await a.until('the end of its agents', () => typesOf(a.feed).includes('client-gone'))
    return join(host)
  }
  await a.logged(/host b has written no heartbeat for 3 s/)
  is(b.cluster.isMember(), false)
  await b.logged(/has joined again/)
  store.members.beat = beat
  await a.until('its agent again', () => a.cluster.remote.has('10.0.0.1'))
  await a.until('its connection', () => a.feed.filter(({ type }) => type === 'client-connected').length === 2)
  ok(typesOf(a.feed).includes('host-gone'))
  await fleet.close()
})

test('after a crash of the database the hosts are members as before, with their agents, and no event is sent twice', async () => {
  const fleet = await openFleet('crash', ['a', 'b'])
  const [a, b] = fleet.hosts
  if (!a || !b) throw new Error('expected two hosts')
  b.connect('10.0.0.1')
  a.events.emit(finished(1))
  await b.until('the event', () => jobsOf(b.feed).includes(1))
  await a.until('the agent', () => a.cluster.remote.has('10.0.0.1'))
  const keys = [a.cluster.key(), b.cluster.key()]
  let gaps = 0
  b.cluster.feed.onGap(() => {
    gaps += 1
  })
  await server.kill()
  await Promise.all([a.logged(/heartbeat of this host cannot be written/), b.logged(/heartbeat of this host cannot/)])
  a.events.emit(finished(2))
  b.connect('10.0.0.2')
  is(a.cluster.remote.has('10.0.0.1'), true)
  await server.start()
  await a.until('both agents', () => a.cluster.remote.has('10.0.0.1') && a.cluster.remote.has('10.0.0.2'))
  await b.until('the event', () => jobsOf(b.feed).includes(2))
  equal([a.cluster.key(), b.cluster.key()], keys)
  equal(jobsOf(b.feed), [1, 2])
  ok(gaps <= 1)
  await fleet.close()
})

test('parts that a host has not claimed when it stops have their events on the others', async () => {
  const fleet = await openFleet('stopped', ['a', 'b'])
  const [a, b] = fleet.hosts
  if (!a || !b) throw new Error('expected two hosts')
  await a.cluster.work.add(a.cluster.key(), workFor(['b+']))
  await b.close()
  await a.until('the end of the job', () => typesOf(a.feed).includes('job-finished'))
  equal(typesOf(a.feed).slice(-3), ['host-gone', 'job-part', 'job-finished'])
  const part = a.feed.find(({ type }) => type === 'job-part')
  equal(part && 'state' in part && 'reason' in part && [part.state, part.reason], ['failure', 'daemon stopped'])
  equal(a.ended, [])
  await fleet.close()
})

test('when the connections of the notifications end, nothing is missed', async () => {
  const fleet = await openFleet('notifications', ['a', 'b'])
  const [a, b] = fleet.hosts
  if (!a || !b) throw new Error('expected two hosts')
  const client = await server.connect()
  for (let job = 1; job <= 3; job += 1) {
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'`)
    a.events.emit(finished(job))
    await b.until('the event', () => jobsOf(b.feed).includes(job))
  }
  await client.end()
  equal(jobsOf(b.feed), [1, 2, 3])
  await fleet.close()
})

test.run()

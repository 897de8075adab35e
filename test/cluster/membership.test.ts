// Members of a fleet: joining, the leader, hosts that are gone and come back, and an outage of the database.
import { suite } from 'uvu'
import { equal, is, match, ok, unreachable } from 'uvu/assert'
import { Heartbeats } from '../../host/cluster/heartbeats.ts'
import { OptionsError } from '../../host/config/options.ts'
import { createMemoryCluster } from '../harness/memory-cluster.ts'
import { openMemoryHost } from '../harness/memory-host.ts'

export const runs = { seconds: 12 }

const test = suite('membership')

test('hosts know each other, and the first one is the leader until it leaves', async () => {
  const fleet = createMemoryCluster()
  const a = await openMemoryHost({ store: fleet.open(), name: 'a' })
  const b = await openMemoryHost({ store: fleet.open(), name: 'b' })
  await a.until('two members', () => a.cluster.members().length === 2)
  equal(
    b.cluster.members().map(({ name }) => name),
    ['a', 'b'],
  )
  equal([a.cluster.isLeader(), b.cluster.isLeader(), a.cluster.isMember()], [true, false, true])
  await a.until('the event', () => a.feed.some(event => event.type === 'host-joined' && event.host === 'b'))
  await a.logged(/cluster: host b joined/)
  await a.close()
  await b.until('the leader', () => b.cluster.isLeader())
  await b.until('the event', () => b.feed.some(event => event.type === 'host-gone' && event.host === 'a'))
  await b.logged(/cluster: host a left/)
  await b.close()
})

test('a name that another process has is refused after the lease with one line', async () => {
  const fleet = createMemoryCluster()
  const a = await openMemoryHost({ store: fleet.open(), name: 'a' })
  try {
    await openMemoryHost({ store: fleet.open(), name: 'a' })
    unreachable()
  } catch (error) {
    ok(error instanceof OptionsError)
    is(error.message, 'cluster.name: expected a name that no other host has, got a, which is running')
  }
  await a.close()
})

test('a host that is not reached any more is gone after the lease, its agents too; it accepts no writes before that', async () => {
  const fleet = createMemoryCluster()
  const a = await openMemoryHost({ store: fleet.open(), name: 'a' })
  const store = fleet.open()
  const b = await openMemoryHost({ store, name: 'b' })
  let gaps = 0
  a.cluster.feed.onGap(() => {
    gaps += 1
  })
  b.connect('10.0.0.1')
  await a.until('its agent', () => a.cluster.remote.has('10.0.0.1'))
  store.isAway = true
  await b.logged(/heartbeat of this host cannot be written/)
  await a.logged(/host b has written no heartbeat for 3 s and is gone, it had 1 agents/)
  is(b.cluster.isMember(), false)
  is(a.cluster.remote.has('10.0.0.1'), false)
  await a.until('its events', () => a.feed.some(({ type }) => type === 'client-gone'))
  ok(a.feed.some(event => event.type === 'host-gone' && event.host === 'b'))
  // What it had done at last, as deleting a token, may not have been published.
  is(gaps, 1)
  const { epoch } = b.cluster.key()
  store.isAway = false
  await b.logged(/has joined again, epoch/)
  ok(b.cluster.key().epoch > epoch && b.cluster.isMember())
  await a.until('its agent again', () => a.cluster.remote.has('10.0.0.1'))
  await a.until('its connection', () => a.feed.filter(({ type }) => type === 'client-connected').length === 2)
  equal(
    a.feed.filter(event => 'addr' in event).map(({ type }) => type),
    ['client-connected', 'client-gone', 'client-connected', 'client-state'],
  )
  await Promise.all([a.close(), b.close()])
})

test('while the database is away nobody is declared gone, and afterwards what has happened is published', async () => {
  const fleet = createMemoryCluster()
  const a = await openMemoryHost({ store: fleet.open(), name: 'a' })
  const b = await openMemoryHost({ store: fleet.open(), name: 'b' })
  await a.until('two members', () => a.cluster.members().length === 2)
  fleet.setAway(true)
  await Promise.all([a.logged(/heartbeat of this host cannot/), b.logged(/heartbeat of this host cannot/)])
  b.connect('10.0.0.2')
  // Longer than the lease.
  await new Promise(resolve => setTimeout(resolve, 4000))
  is(a.cluster.isMember(), false)
  fleet.setAway(false)
  await a.until('its agent', () => a.cluster.remote.has('10.0.0.2'))
  await a.logged(/heartbeat of this host is written again/)
  equal(
    a.cluster.members().map(({ name, epoch }) => [name, epoch]),
    [
      ['a', 1],
      ['b', 2],
    ],
  )
  is(a.feed.filter(({ type }) => type === 'client-connected').length, 1)
  match(a.log.filter(line => line.includes('warn')).join(''), /heartbeat/)
  await Promise.all([a.close(), b.close()])
})

const member = (heartbeat: string, lease = 6000) => ({
  name: 'b',
  epoch: 1,
  heartbeat,
  modules: {},
  url: '',
  version: '',
  lease,
  joined: 0,
})

test('a heartbeat counts as old only when it was seen unchanged for the whole lease, without a pause in between', () => {
  let now = 0
  const heartbeats = new Heartbeats(() => now)
  const observe = (heartbeat: string, milliseconds: number, took = 0) => {
    now += milliseconds
    const began = now
    now += took
    return heartbeats.observe([member(heartbeat)], began).length
  }
  for (let second = 0; second < 6; second += 1) is(observe('1', 1000), 0)
  is(observe('1', 1000), 1)
  is(observe('2', 1000), 0)
  for (let second = 1; second < 6; second += 1) is(observe('2', 1000), 0)
  // A read that took long, and a time without reads.
  is(observe('2', 1000, 1500), 0)
  for (let second = 1; second < 5; second += 1) is(observe('2', 1000), 0)
  is(observe('2', 9000), 0)
  for (let second = 1; second < 6; second += 1) is(observe('2', 1000), 0)
  is(observe('2', 1000), 1)
})

test('a host with a longer lease than the others is judged by its own', () => {
  let now = 0
  const heartbeats = new Heartbeats(() => now)
  const seconds: number[] = []
  for (let second = 0; second <= 9; second += 1) {
    now += 1000
    if (heartbeats.observe([member('1', 9000)], now).length > 0) seconds.push(second)
  }
  equal(seconds, [9])
})

test.run()

// Events of a fleet: one order on all hosts, each once, whatever gets lost on the way.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import type { FleetEvent } from '../../host/system/events.ts'
import { createMemoryCluster } from '../harness/memory-cluster.ts'
import { openMemoryHost } from '../harness/memory-host.ts'

const finished = (job: number): FleetEvent => ({ type: 'job-finished', job, name: 'x', by: 'admin', addrs: [] })
const jobsOf = (events: readonly FleetEvent[]) => events.flatMap(event => ('job' in event ? event.job : []))

async function openTwo() {
  const fleet = createMemoryCluster()
  const stores = [fleet.open(), fleet.open()] as const
  const a = await openMemoryHost({ store: stores[0], name: 'a' })
  const b = await openMemoryHost({ store: stores[1], name: 'b' })
  const close = async () => {
    await a.close()
    await b.close()
  }
  return { fleet, stores, a, b, close }
}

const test = suite('published events')

test('events of both hosts reach both in the same order, and only those of the other one that it must know reach its bus', async () => {
  const { a, b, close } = await openTwo()
  a.events.emit(finished(1))
  b.events.emit(finished(2))
  b.events.emit({ type: 'image-added', image: 3, name: 'x' })
  b.events.emit({ type: 'accounts-changed' })
  await a.until('all', () => a.feed.some(({ type }) => type === 'accounts-changed') && jobsOf(a.feed).length === 2)
  await b.until('all', () => b.feed.some(({ type }) => type === 'accounts-changed') && jobsOf(b.feed).length === 2)
  const last = (feed: FleetEvent[]) => feed.slice(-4)
  equal(last(a.feed), last(b.feed))
  equal(
    a.relayed.map(({ type }) => type),
    ['image-added', 'accounts-changed'],
  )
  equal(b.relayed, [])
  await close()
})

test('a batch that is stored though its reply got lost is not published again', async () => {
  const { stores, a, b, close } = await openTwo()
  stores[0].losesNextReply = true
  a.events.emit(finished(1))
  a.events.emit(finished(2))
  await a.logged(/what happens on this host cannot be published/)
  a.events.emit(finished(3))
  await b.until('the last one', () => jobsOf(b.feed).includes(3))
  equal(jobsOf(b.feed), [1, 2, 3])
  await close()
})

test('events wait while the database is away, at most 10,000 of them', async () => {
  const { stores, a, b, close } = await openTwo()
  let gaps = 0
  b.cluster.feed.onGap(() => {
    gaps += 1
  })
  stores[0].isAway = true
  await a.logged(/heartbeat of this host cannot be written/)
  for (let job = 1; job <= 10_010; job += 1) a.events.emit(finished(job))
  ok(a.log.some(line => line.includes('more than 10000 events wait: the oldest are lost')))
  stores[0].isAway = false
  await b.until('the last one', () => jobsOf(b.feed.slice(-1)).includes(10_010))
  equal([jobsOf(b.feed)[0], jobsOf(b.feed).length], [11, 10_000])
  await a.logged(/10 events of this host were lost/)
  // Readers of both hosts get `events-missing`.
  is(gaps, 1)
  await close()
})

test('no event is lost while the database is there, however many there are at once', async () => {
  const { a, b, close } = await openTwo()
  for (let job = 1; job <= 40_000; job += 1) a.events.emit(finished(job))
  await b.until('the last one', () => jobsOf(b.feed.slice(-1)).includes(40_000))
  equal([jobsOf(b.feed)[0], jobsOf(b.feed).length], [1, 40_000])
  await close()
})

test('what the database cannot store does not keep what comes after it from the fleet', async () => {
  const { stores, a, b, close } = await openTwo()
  const { publications } = stores[0]
  const { publish } = publications
  const isBad = (value: unknown) => JSON.stringify(value).includes('bad')
  publications.publish = async published =>
    isBad(published.events) || isBad(published.agents) ? 'refused' : publish.call(publications, published)
  let gaps = 0
  b.cluster.feed.onGap(() => {
    gaps += 1
  })
  a.events.emit({ type: 'image-added', image: 1, name: 'bad' })
  await a.logged(/error.*cannot store what has happened on this host, events are lost/)
  a.events.emit(finished(1))
  await b.until('the event after it', () => jobsOf(b.feed).includes(1))
  is(gaps, 1)
  a.connect('10.0.0.1')
  a.events.emit({ type: 'client-hello', addr: '10.0.0.1', hello: { name: 'bad' } })
  await a.logged(/error.*cannot store what agents of this host have said, details are lost/)
  await b.until('the agent', () => b.cluster.remote.has('10.0.0.1'))
  equal([b.cluster.remote.find('10.0.0.1')?.details, gaps], [{}, 1])
  await close()
})

test('a wake-up that is read long after it was sent is not sent again', async () => {
  const { a, b, close } = await openTwo()
  const age = 61_000
  const now = Date.now
  Date.now = () => now() - age
  a.events.emit({ type: 'wake-sent', addr: '10.0.0.1', kind: 'broadcast' })
  Date.now = now
  a.events.emit({ type: 'wake-sent', addr: '10.0.0.2', kind: 'broadcast' })
  await b.until('both', () => b.feed.filter(({ type }) => type === 'wake-sent').length === 2)
  equal(b.relayed, [{ type: 'wake-sent', addr: '10.0.0.2', kind: 'broadcast' }])
  await close()
})

test('a host that stops publishes its end', async () => {
  const { a, b } = await openTwo()
  b.connect('10.0.0.1')
  await a.until('the agent', () => a.cluster.remote.has('10.0.0.1'))
  await b.close()
  await a.until('its events', () => a.feed.some(({ type }) => type === 'client-gone'))
  equal(a.feed.slice(-2), [
    { type: 'host-gone', host: 'b' },
    { type: 'client-gone', addr: '10.0.0.1' },
  ])
  await a.close()
})

test('a missed notification costs a second at most', async () => {
  const { a, b, stores, close } = await openTwo()
  stores[1].cutNotifications()
  a.events.emit(finished(1))
  await b.until('the event', () => jobsOf(b.feed).includes(1))
  await b.logged(/no notifications of the other hosts, they are asked each second/)
  await b.logged(/notifications of the other hosts are received again/)
  await close()
})

test('what an agent that has moved leaves behind is published as a replacement', async () => {
  const { a, b, close } = await openTwo()
  a.connect('10.0.0.1')
  await b.until('the agent', () => b.cluster.remote.has('10.0.0.1'))
  b.connect('10.0.0.1')
  await a.until('the newer one', () => a.cluster.remote.has('10.0.0.1'))
  a.events.emit({ type: 'client-gone', addr: '10.0.0.1' })
  await b.until('the event', () => b.feed.some(({ type }) => type === 'client-replaced'))
  ok(!b.feed.some(({ type }) => type === 'client-gone'))
  a.connect('10.0.0.2')
  a.events.emit({ type: 'client-gone', addr: '10.0.0.2', replaced: true })
  a.events.emit(finished(1))
  await b.until('the event', () => jobsOf(b.feed).includes(1))
  ok(!b.feed.some(({ type }) => type === 'client-gone'))
  await close()
})

test('a host that starts has the newest events, and reports when events were lost', async () => {
  const { fleet, a, b, close } = await openTwo()
  a.events.emit(finished(1))
  await b.until('the event', () => jobsOf(b.feed).includes(1))
  const c = await openMemoryHost({ store: fleet.open(), name: 'c' })
  const history = c.cluster.feed.takeHistory()
  equal(
    history.map(({ event }) => event.type),
    ['host-joined', 'host-joined', 'job-finished', 'host-joined'],
  )
  equal(c.cluster.feed.takeHistory(), [])
  let gaps = 0
  c.cluster.feed.onGap(() => {
    gaps += 1
  })
  fleet.loseEvents()
  a.events.emit(finished(2))
  await c.until('the event', () => jobsOf(c.feed).includes(2))
  is(gaps, 1)
  await Promise.all([close(), c.close()])
})

test.run()

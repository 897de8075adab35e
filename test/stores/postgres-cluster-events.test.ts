// Events of several hosts in PostgreSQL: those of clients that moved, and of hosts that have left or lost some.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { upTo } from '../conformance/work-samples.ts'
import { agent, type ClusterStores, everything, join, newClusterStores, publish } from '../harness/cluster-stores.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { alone: true }

if (postgresPrograms === undefined) skipFile('postgresql')

const server = await startPostgres({ fsync: true })
process.once('beforeExit', () => server.stop())

const test = suite<{ fleet: ClusterStores }>('postgres cluster: events')
const openNew = newClusterStores(server)

test.before.each(async context => {
  context.fleet = await openNew()
})

test.after.each(({ fleet }) => fleet.close())

const goneEvent = (addr: string) => ({ time: 1, event: { type: 'client-gone', addr } })

test('the event of a client that is connected elsewhere by a newer connection is replaced', async ({ fleet }) => {
  const [a, b] = [await fleet.host('a'), await fleet.host('b')]
  await publish(b, { agents: [agent('10.0.0.3')] })
  await publish(a, { agents: upTo(4).map(at => agent(`10.0.0.${at}`)) })
  await publish(b, { agents: [agent('10.0.0.1')] })
  const addrs = upTo(4).map(at => `10.0.0.${at}`)
  const replaceGone = (event: { type: string }) => ({ ...event, type: 'client-replaced' })
  await publish(a, { gone: addrs.slice(1), events: addrs.map(goneEvent), replaceGone })
  const { events } = await b.publications.read(everything)
  assert.equal(
    events.map(({ event }) => event.type),
    ['client-gone', 'client-replaced', 'client-gone', 'client-gone'],
  )
})

test('a client that has connected elsewhere is not published as gone by the host that removed its former one', async ({
  fleet,
}) => {
  const [a, b, c] = [await fleet.host('a'), await fleet.host('b'), await fleet.host('c')]
  await publish(c, { agents: [agent('10.0.0.1'), agent('10.0.0.2')] })
  await c.members.leave(c.key, 'host gone')
  await publish(b, { agents: [agent('10.0.0.1')] })
  const replaceGone = (event: { type: string }) => ({ ...event, type: 'client-replaced' })
  await publish(a, { events: ['10.0.0.1', '10.0.0.2'].map(goneEvent), replaceGone })
  const { events } = await b.publications.read(everything)
  assert.equal(
    events.map(({ event }) => event.type),
    ['client-replaced', 'client-gone'],
  )
})

test('events that were lost leave a gap in the ids', async ({ fleet }) => {
  const [a, b] = [await fleet.host('a'), await fleet.host('b')]
  const events = upTo(2).map(time => ({ time, event: { type: 'x' } }))
  await publish(a, { events })
  await publish(b, { events, lost: 5 })
  await publish(a, { events })
  const read = (await a.publications.read(everything)).events
  const [{ id: first } = { id: 0 }] = read
  assert.equal(
    read.map(({ id, time }) => [id - first, time]),
    [
      [0, 0],
      [1, 1],
      [7, 0],
      [8, 1],
      [9, 0],
      [10, 1],
    ],
  )
})

test('what the database can never store is refused, and nothing of it is stored', async ({ fleet }) => {
  const a = await fleet.host('a')
  const client = await server.connect()
  const setType = (type: string) =>
    client.query(`alter table "${fleet.options.schema}".fleet_events alter column host type ${type}`)
  await setType('varchar(1)')
  const long = { ...a, key: await join(a, 'longer') }
  const published = { agents: [agent('10.0.0.1')], gone: [], events: [goneEvent('10.0.0.1')] }
  assert.is(await a.publications.publish({ ...published, key: long.key, replaceGone: event => event }), 'refused')
  assert.equal((await a.publications.read(everything)).agents, [])
  // A next test uses the schema again.
  await setType('text')
  await client.end()
})

test('what ends when a host leaves is published by it in the same step', async ({ fleet }) => {
  const [a, b] = [await fleet.host('a'), await fleet.host('b')]
  await publish(b, { agents: [agent('10.0.0.1')], events: [{ time: 6, event: { type: 'x' } }] })
  const left = await b.members.leave(b.key, 'daemon stopped', ({ agents }) =>
    agents.map(addr => ({ time: 7, event: { type: `gone ${addr}` } })),
  )
  assert.equal(left.agents, ['10.0.0.1'])
  const { agents, events } = await a.publications.read(everything)
  const [first, last] = events
  assert.equal([agents[0]?.gone, events.length, last?.host, last?.event.type], [true, 2, 'b', 'gone 10.0.0.1'])
  assert.is(last?.id, (first?.id ?? 0) + 1, 'nothing was lost between them')
})

test.run()

// Presence and events of several hosts in PostgreSQL.
import * as assert from 'uvu/assert'
import type { ClusterEvent, ClusterStore } from '../../stores/store.ts'
import { upTo } from '../conformance/work-samples.ts'
import { agent, type ClusterHost, everything, listen, publish } from '../harness/cluster-stores.ts'
import { clusterSuite } from '../harness/cluster-suite.ts'
import { pollUntil } from '../harness/poll.ts'

const { test, server, query } = await clusterSuite('postgres cluster: presence and events', { fsync: true })

test('later connections have higher numbers, also those of other hosts', async ({ fleet }) => {
  const [a, b] = [await fleet.host('a'), await fleet.host('b')]
  const first = await publish(a, { agents: [agent('10.0.0.1'), agent('10.0.0.2')] })
  const second = await publish(b, { agents: [agent('10.0.0.1')] })
  const [one = 0, two = 0, three = 0] = [...(first ?? []), ...(second ?? [])].map(([, since]) => since)
  assert.ok(one < two && two < three)
  assert.equal([...(first?.keys() ?? [])], ['10.0.0.1', '10.0.0.2'])
  // Its number stays as long as the connection, which its host says.
  const changed = agent('10.0.0.1', { since: one, status: 'busy', speed: 0.5 })
  assert.equal(
    await publish(a, { agents: [agent('10.0.0.1'), changed], gone: ['10.0.0.1'] }),
    new Map([['10.0.0.1', one]]),
  )
  const { version, agents } = await b.publications.read(everything)
  assert.equal(agents.at(-1), { ...changed, ...a.key, gone: false })
  assert.equal(await b.publications.read({ version, event: 0, limit: 10 }), { version, agents: [], events: [] })
  await publish(a, { gone: ['10.0.0.1', '10.0.0.9'] })
  const next = await b.publications.read({ version, event: 0, limit: 10 })
  assert.ok(next.version > version)
  assert.equal(
    next.agents.map(({ addr, gone }) => [addr, gone]),
    [
      ['10.0.0.1', true],
      ['10.0.0.9', true],
    ],
  )
})

/** Reads on until it has so many events. */
async function follow({ publications, notifications }: ClusterStore, count: number): Promise<ClusterEvent[]> {
  const events: ClusterEvent[] = []
  let [version, event, reading] = [0, 0, false]
  async function read(): Promise<void> {
    if (reading) return
    reading = true
    try {
      for (let size = 1; size > 0; ) {
        const next = await publications.read({ version, event, limit: 7 })
        events.push(...next.events)
        version = next.version
        event = next.events.at(-1)?.id ?? event
        size = next.events.length
      }
    } finally {
      reading = false
    }
  }
  // An error is one of the reads below.
  const readSoon = () => void read().catch(() => {})
  notifications.listen({ onNotice: readSoon, onOpen: readSoon, onLost() {} })
  await pollUntil(async () => {
    await read()
    return events.length >= count
  })
  return events
}

test('three hosts that publish at the same time are read in one order without a gap', async ({ fleet }) => {
  const hosts = await Promise.all(['a', 'b', 'c'].map(name => fleet.host(name)))
  const [rounds, each] = [40, 3]
  const write = async (host: ClusterHost) => {
    for (const round of upTo(rounds)) {
      const events = upTo(each).map(at => ({ time: round, event: { type: 'x', at: round * each + at } }))
      await publish(host, { agents: [agent(`10.0.${host.key.epoch}.${round}`)], events })
    }
  }
  const count = hosts.length * rounds * each
  const [orders] = await Promise.all([Promise.all(hosts.map(host => follow(host, count))), ...hosts.map(write)])
  const [order = []] = orders
  for (const other of orders) assert.equal(other, order)
  const first = order[0]?.id ?? 0
  assert.equal(
    order.map(({ id }) => id - first),
    upTo(count),
  )
  for (const { key } of hosts) {
    const own = order.filter(({ host }) => host === key.name)
    assert.equal(
      own.map(({ event }) => Reflect.get(event, 'at')),
      upTo(rounds * each),
    )
  }
  assert.is((await hosts[0]?.publications.read(everything))?.agents.length, hosts.length * rounds)
})

test('the newest events stay, and agents that have been gone for a minute are forgotten', async ({ fleet }) => {
  const a = await fleet.host('a')
  const none = await a.publications.newest(5)
  assert.is(none.first, none.newest + 1)
  await publish(a, {
    agents: [agent('10.0.0.1'), agent('10.0.0.2')],
    events: upTo(9).map(time => ({ time, event: { type: 'x' } })),
  })
  await publish(a, { gone: ['10.0.0.1'] })
  const { newest, first } = await a.publications.newest(4)
  assert.is(newest - first, 3)
  await a.publications.trim(6)
  const { agents, events } = await a.publications.read({ ...everything, limit: 3 })
  assert.equal([agents.length, events.map(({ time }) => time)], [2, [3, 4, 5]])
  assert.equal(await a.publications.newest(100), { newest, first: newest - 5 })
  await query(`update ${fleet.options.schema}.agents set changed = now() - interval '61 seconds'`)
  await a.publications.trim(0)
  const rest = await a.publications.read(everything)
  assert.equal([rest.agents.map(({ addr }) => addr), rest.events], [['10.0.0.2'], []])
  assert.equal(await a.publications.newest(100), { newest, first: newest + 1 })
})

test('outputs of scripts are those of all hosts', async ({ fleet }) => {
  const [a, b] = [await fleet.host('a'), await fleet.host('b')]
  await a.publications.setOutputs(new Map([['10.0.0.1', 'first\0']]))
  await b.publications.setOutputs(new Map([['10.0.0.2', 'second']]))
  await b.publications.clearOutputs(['10.0.0.2', '10.0.0.3', '10.0.0.3'])
  const outputs = await a.publications.outputs(['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'])
  assert.equal(Object.fromEntries(outputs), { '10.0.0.1': 'first\0', '10.0.0.2': '', '10.0.0.3': '' })
})

test('after a crash of the server agents are announced anew, and no number is used again', async ({ fleet }) => {
  const a = await fleet.host('a')
  const b = await fleet.host('b')
  const noted = listen(a)
  await pollUntil(() => noted.opened === 1)
  const [since = 0] = (await publish(a, { agents: [agent('10.0.0.1')] }))?.values() ?? []
  for (const time of upTo(300)) await publish(b, { events: [{ time, event: { type: 'x' } }] })
  const before = await b.publications.read(everything)
  const last = before.events.at(-1)?.id ?? 0
  await server.kill()
  await pollUntil(() => noted.lost === 1)
  await server.start()
  await pollUntil(() => noted.opened === 2)
  assert.equal(await b.publications.read({ version: before.version, event: last, limit: 9 }), {
    version: before.version,
    agents: [],
    events: [],
  })
  // Still a member: membership is not lost, and its epoch is the same.
  assert.is(await a.members.beat(a.key, {}), true)
  const announced = await publish(a, {
    agents: [agent('10.0.0.1', { since }), agent('10.0.0.2')],
    gone: ['10.0.0.7'],
    events: [{ time: 1, event: { type: 'x' } }],
  })
  assert.is(announced?.get('10.0.0.1'), since)
  assert.ok((announced?.get('10.0.0.2') ?? 0) > since)
  const { agents, events, version } = await b.publications.read({ version: before.version, event: last, limit: 9 })
  assert.ok(version > before.version && (events[0]?.id ?? 0) > last)
  assert.equal(agents.map(({ addr }) => addr).sort(), ['10.0.0.1', '10.0.0.2', '10.0.0.7'])
})

test.run()

// GET /events?coalesce=: only the newest state of a client in a period, all other events at once, and nothing is lost.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import type { FleetEvent } from '../../host/system/events.ts'
import { type EventJson, type Reader, readEvents } from '../harness/event-reader.ts'
import { inside, outside, startLab } from '../harness/lab.ts'

export const runs = { hosts: false }

const lab = await startLab({ scope: true })
const { addToken } = lab
const { rest: port } = lab.host.ports
const [one = '', two = ''] = inside
const [three = ''] = outside
const emit = (...events: FleetEvent[]) => {
  for (const event of events) lab.host.events.emit(event)
}
const state = (addr: string, word: string): FleetEvent => ({
  type: 'client-state',
  addr,
  state: word,
  status: 'oglive',
})
const login = (addr: string, user: string): FleetEvent => ({ type: 'session-login', addr, user })

const shown = ({ type, clients, ...event }: EventJson) => `${type} ${clients.join()} ${event.state ?? event.user}`
/** The ids of the stream itself, and the events, in the order of the text. */
const lines = (reader: Reader) => reader.text().match(/^(?:id: \d+|event: [\w-]+)$/gm) ?? []
const idsOf = (reader: Reader) => [...reader.text().matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))

const test = suite('coalesced events')
test.after(() => lab.stop())

/** A reader who has just got a state: the next ones are held back until the end of its period. */
async function readInPeriod(query: string): Promise<Reader> {
  const reader = await readEvents(port, query)
  emit(state(one, 'first'))
  await reader.first({ state: 'first' })
  return reader
}

test('a state that comes after a quiet time is sent at once', async () => {
  const reader = await readInPeriod('?coalesce=60000')
  equal(idsOf(reader), [reader.events.at(-1)?.id])
  reader.close()
})

test('in a period only the newest state of each client is sent, in the order of the newest ones', async () => {
  const reader = await readInPeriod('?coalesce=300')
  for (let round = 0; round < 50; round += 1) {
    for (const addr of [one, two, three]) emit(state(addr, `S${round}`))
  }
  emit(state(one, 'last'))
  await reader.first({ state: 'last' })
  equal(reader.events.slice(1).map(shown), [
    `client-state ${two} S49`,
    `client-state ${three} S49`,
    `client-state ${one} last`,
  ])
  equal(idsOf(reader), [reader.events[0]?.id, reader.events.at(-1)?.id])
  reader.close()
})

test('other events are sent at once, and after the state of their own client', async () => {
  const reader = await readInPeriod('?coalesce=60000')
  emit(state(one, 'A'), state(two, 'B'), state(one, 'C'), login(one, 'ana'), state(one, 'D'), login(three, 'ben'))
  await reader.first({ user: 'ben' })
  equal(reader.events.slice(1).map(shown), [
    `client-state ${one} C`,
    `session-login ${one} ana`,
    `session-login ${three} ben`,
  ])
  // The states of two clients are held back: no id may say that they were sent.
  equal(idsOf(reader), [reader.events[0]?.id])
  reader.close()
})

test('events that come while nothing is held back have their ids', async () => {
  const reader = await readEvents(port, '?coalesce=60000&type=client-state,session')
  emit(login(one, 'ana'), state(one, 'A'), login(one, 'ben'))
  await reader.first({ user: 'ben' })
  const [first, , last] = reader.events.map(({ id }) => id)
  equal(idsOf(reader), [first, last])
  equal(lines(reader), [
    `id: ${first}`,
    'event: session-login',
    'event: client-state',
    `id: ${last}`,
    'event: session-login',
  ])
  reader.close()
})

test('a reader that reconnects with its last id misses nothing, wherever it was interrupted', async () => {
  const sent: FleetEvent[] = []
  for (let round = 0; round < 40; round += 1) {
    sent.push(state(one, `S${round}`), login(two, `U${round}`), state(three, `T${round}`))
  }
  let lastId = ''
  let closed = 0
  const users = new Set<unknown>()
  const newest = new Map<string, unknown>()
  const ids: number[] = []
  const collect = (reader: Reader) => {
    for (const { clients, user, state } of reader.events) {
      if (user !== undefined) users.add(user)
      else newest.set(String(clients), state)
    }
    ids.push(...idsOf(reader))
    lastId = String(ids.at(-1) ?? lastId)
  }
  const first = await readEvents(port, '?coalesce=40&type=client-state,session')
  let reader = first
  emit(login(two, 'begin'))
  await reader.first({ user: 'begin' })
  for (const [index, event] of sent.entries()) {
    emit(event)
    if (index % 15 !== 14 || index === sent.length - 1) continue
    // Interrupted at some moment of the stream.
    await reader.until(text => text.includes('U'))
    reader.close()
    collect(reader)
    closed += 1
    reader = await readEvents(port, '?coalesce=40&type=client-state,session', { 'Last-Event-ID': lastId })
  }
  emit(login(two, 'end'))
  await reader.first({ user: 'end' })
  await reader.until(text => text.includes('"S39"') && text.includes('"T39"'))
  collect(reader)
  reader.close()
  is(closed, 7)
  equal([...users], ['begin', ...Array.from({ length: 40 }, (_, round) => `U${round}`), 'end'])
  equal([newest.get(one), newest.get(three)], ['S39', 'T39'])
  equal(
    ids,
    [...ids].sort((a, b) => a - b),
  )
})

test('a limited reader gets only what lies within its limits, also with the filter of another reader', async () => {
  const token = await addToken('assistant', 'read')
  const limited = await readEvents(port, '?coalesce=50', { Authorization: token.token })
  const all = await readEvents(port, '?coalesce=50')
  emit(state(one, 'A'), state(three, 'B'), login(three, 'ben'), login(one, 'end'))
  await Promise.all([limited.first({ user: 'end' }), all.first({ user: 'end' })])
  equal(limited.events.map(shown), [`client-state ${one} A`, `session-login ${one} end`])
  is(all.events.length, 4)
  ok(!limited.text().includes(three))
  await lab.call('POST /token/delete', { id: String(token.id) })
  emit(login(one, 'after'))
  await limited.ended
  for (const reader of [limited, all]) reader.close()
})

test('a reader of a second filter gets its own events', async () => {
  const states = await readEvents(port, `?coalesce=50&client=${one}`)
  const logins = await readEvents(port, '?coalesce=50&type=session')
  emit(state(one, 'A'), state(two, 'B'), login(two, 'ben'), state(one, 'end'))
  await Promise.all([states.first({ state: 'end' }), logins.first({ user: 'ben' })])
  equal(states.events.map(shown), [`client-state ${one} end`])
  equal(logins.events.map(shown), [`session-login ${two} ben`])
  for (const reader of [states, logins]) reader.close()
})

test('more events than the log keeps: a held state is still sent', async () => {
  const reader = await readInPeriod('?coalesce=500')
  emit(state(two, 'kept'))
  for (let count = 0; count < 30_000; count += 1) emit(state(one, `S${count}`))
  await reader.first({ state: 'S29999' })
  equal(reader.events.slice(1).map(shown), [`client-state ${two} kept`, `client-state ${one} S29999`])
  reader.close()
})

test('a reader that stands still is sent what it has missed when it reads on, or events-missing', async () => {
  const stalled = await readEvents(port, '?coalesce=20&type=session')
  const quick = await readEvents(port, '?coalesce=20&type=session')
  stalled.pause()
  const user = 'x'.repeat(10_000)
  for (let count = 0; count < 300; count += 1) {
    emit(login(one, user), login(one, `U${count}`))
    if (count % 10 === 9) await quick.first({ user: `U${count}` })
  }
  stalled.resume()
  await stalled.until(text => text.includes('"U299"'))
  const users = stalled.events.flatMap(event => (String(event.user).startsWith('U') ? [event.user] : []))
  const isWhole = stalled.events.length === 600
  ok(isWhole || stalled.events.some(({ type }) => type === 'events-missing'), `${stalled.events.length} events`)
  is(new Set(users).size, users.length)
  for (const reader of [stalled, quick]) reader.close()
})

for (const value of ['9', '60001', '0', 'x', '1.5', '-50']) {
  test(`coalesce=${value} is 400`, async () => {
    const { status, headers } = await lab.call(`GET /events?coalesce=${value}`)
    equal([status, headers['x-reason']], [400, `?coalesce: expected 10 to 60000 milliseconds, got ${value}`])
  })
}

test.run()

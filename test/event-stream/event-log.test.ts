// The log of events: its limits, and readers whose events it drops before they can be sent.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { adminRights } from '../../host/access/rights.ts'
import { EventLog } from '../../host/event-stream/event-log.ts'
import { RoomMap } from '../../host/event-stream/room-map.ts'
import { createEventStream } from '../../host/event-stream/service.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'

const failed = (characters: number): FleetEvent => ({
  type: 'module-failed',
  file: 'a.ts',
  reason: 'x'.repeat(characters),
})
const limits = { events_bytes: 1_000_000 }

const test = suite('event log')

test('long events are dropped before their memory passes the limit, short ones beyond the number of events', () => {
  const log = new EventLog({ rooms: new RoomMap([]), size: 1000, limits })
  for (let index = 0; index < 500; index += 1) log.add(failed(10_000))
  // A character needs up to four bytes: two in the event and two in its text.
  is(log.newest - log.oldest + 1, Math.floor(limits.events_bytes / 40_500))
  for (let index = 0; index < 1500; index += 1) log.add(failed(1))
  is(log.newest - log.oldest + 1, 1000)
  match(log.start('1').missing, /"type":"events-missing","after":"1"/)
  is(log.start(String(log.oldest - 1)).missing, '')
  const { text } = log.chunk(log.oldest - 1, log.newest, () => true)
  match(text, `id: ${log.oldest}\nevent: module-failed`)
})

test('one event that is longer than the limit is kept alone', () => {
  const log = new EventLog({ rooms: new RoomMap([]), size: 1000, limits })
  for (const length of [1, 300_000, 300_000]) log.add(failed(length))
  is(log.oldest, log.newest)
  ok(log.chunk(log.newest - 1, log.newest, () => true).text.length > 300_000)
})

async function openReader(types: string[]) {
  const events = createEvents(createLog(() => {}))
  const none = { list: async () => [] }
  const store = { computers: none, schedules: none }
  const resolveRights = async () => adminRights
  const followSession = () => () => true
  const noSession = { header: () => '', isSecure: false }
  const stream = await createEventStream({ store, events, limits, resolveRights, followSession, size: 100 })
  const disconnects: string[] = []
  const read = stream.read(
    { types, clients: [], rooms: [], after: '' },
    {
      ...noSession,
      signal: new AbortController().signal,
      rights: adminRights,
      disconnect: reason => disconnects.push(reason),
    },
  )
  if ('refused' in read) throw new Error(read.refused)
  const chunks = read[Symbol.asyncIterator]()
  await chunks.next()
  return { events, stream, chunks, disconnects }
}

const finished = (job: number): FleetEvent => ({
  type: 'job-finished',
  job,
  name: 'probe',
  by: 'admin',
  counts: {},
  addrs: [],
})

test('a reader gets all events of its filter when a hundred times the log of other events comes at once', async () => {
  const { events, stream, chunks, disconnects } = await openReader(['job'])
  const reading = chunks.next()
  for (let index = 0; index < 10_000; index += 1) {
    events.emit({ type: 'client-connected', addr: '10.0.0.1' })
    if (index % 250 === 0) events.emit(finished(index / 250))
  }
  const jobs: number[] = []
  let text = (await reading).value
  while (jobs.length < 40) {
    jobs.push(...[...String(text).matchAll(/"job":(\d+)/g)].map(([, job]) => Number(job)))
    if (jobs.length < 40) text = (await chunks.next()).value
  }
  equal(
    jobs,
    Array.from({ length: 40 }, (_, job) => job),
  )
  equal(disconnects, [])
  stream.close()
})

test('of events that its filter selects, a reader that reads nothing gets a limited number', async () => {
  const { events, stream, chunks } = await openReader(['module'])
  const reading = chunks.next()
  for (let index = 0; index < 10_000; index += 1) events.emit(failed(1000))
  let characters = String((await reading).value).length
  let text = ''
  while (!text.includes('events-missing')) {
    characters += text.length
    text = String((await chunks.next()).value)
  }
  ok(characters > 1_000_000 && characters < 2_000_000, `${characters} characters`)
  stream.close()
})

test.run()

// The event stream with several hosts: ids of the fleet, readers that change the host, and events that were lost.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { adminRights } from '../../host/access/rights.ts'
import type { ClusterFeed, FeedEvent } from '../../host/cluster/cluster.ts'
import { createEventStream } from '../../host/event-stream/service.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents } from '../../host/system/events.ts'

const limits = { events_bytes: 1_000_000 }
const first = 5_000_000

const gone = (id: number): FeedEvent => ({
  id,
  time: 1_700_000_000_000 + id - first,
  host: 'b',
  event: { type: 'client-gone', addr: '10.0.0.1' },
})
const idsIn = (text: string) => [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id) - first)

/** One host that has read the events up to `last`. */
async function openHost(last: number) {
  const listeners = new Set<(event: FeedEvent) => void>()
  const feed: ClusterFeed = {
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onRemote: () => () => {},
    onGap() {},
    takeHistory: () => Array.from({ length: last }, (_, index) => gone(first + index + 1)),
  }
  const none = { list: async () => [] }
  const stream = await createEventStream({
    store: { computers: { list: async () => [] }, schedules: none },
    events: createEvents(createLog(() => {})),
    feed,
    limits,
    resolveRights: async () => adminRights,
    followSession: () => () => true,
  })
  const emit = (id: number) => {
    for (const listener of listeners) listener(gone(first + id))
  }
  /** Reads until it has the event `until`; resolves to all text. */
  async function read(after: string, until: number, coalesce = ''): Promise<string> {
    const stop = new AbortController()
    const read = stream.read(
      { types: [], clients: [], rooms: [], after, coalesce },
      { header: () => '', isSecure: false, signal: stop.signal, rights: adminRights, disconnect: () => {} },
    )
    if ('refused' in read) throw new Error(read.refused)
    let text = ''
    for await (const chunk of read) {
      text += chunk
      if (idsIn(text).includes(until)) break
    }
    return text
  }
  return { stream, emit, read }
}

const test = suite('shared event log')

test('events have the ids, times and hosts of the fleet, and those from before the start are replayed', async () => {
  const { stream, read } = await openHost(3)
  const text = await read(String(first + 1), 3)
  equal(idsIn(text), [2, 3])
  ok(text.includes(`id: ${first + 3}\nevent: client-gone\ndata: {"id":${first + 3},"time":"2023-11-14T22:13:20.003Z"`))
  ok(text.includes('"host":"b"'))
  stream.close()
})

test('a reader that comes from a host that was ahead gets each event once', async () => {
  for (const coalesce of ['', '50']) {
    const { stream, emit, read } = await openHost(3)
    const reading = read(String(first + 5), 7, coalesce)
    await new Promise(setImmediate)
    for (const id of [4, 5, 6, 7]) emit(id)
    const text = await reading
    equal(idsIn(text), [6, 7], coalesce)
    ok(!text.includes('events-missing'))
    stream.close()
  }
})

test('a reader with an id of another time gets events-missing and what there is', async () => {
  const { stream, read } = await openHost(3)
  match(await read('17', 3), /event: events-missing/)
  match(await read(String(first + 1_000_000), 3), /event: events-missing/)
  stream.close()
})

test('when the database has lost events, readers get events-missing and then the newer events', async () => {
  const { stream, emit, read } = await openHost(3)
  const reading = read('', 901)
  await new Promise(setImmediate)
  emit(4)
  emit(900)
  emit(901)
  const text = await reading
  equal(idsIn(text), [4, 899, 900, 901])
  match(text, /"type":"events-missing"/)
  is(idsIn(await read(String(first + 3), 901))[0], 899)
  stream.close()
})

test.run()

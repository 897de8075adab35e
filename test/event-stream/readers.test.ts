// Readers of GET /events: slow ones, heartbeats, and how streams end.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { adminRights } from '../../host/access/rights.ts'
import { createEventStream } from '../../host/event-stream/service.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents } from '../../host/system/events.ts'
import { readEvents } from '../harness/event-reader.ts'
import { pollUntil } from '../harness/poll.ts'
import { startQuietTimer } from '../harness/quiet-timer.ts'
import { bytesOf, connectCaller } from '../harness/raw-http.ts'
import { startSite } from '../harness/site-folder.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const site = await startSite()
const { rest: port } = lab.host.ports

const readers = suite('event readers')

/** Emits many logins with a user of that length, then one logout. */
const flood = (count: number, length: number) => {
  const user = 'x'.repeat(length)
  for (let index = 0; index < count; index += 1)
    lab.host.events.emit({ type: 'session-login', addr: '127.0.3.1', user })
  lab.host.events.emit({ type: 'session-logout', addr: '127.0.3.1' })
}

readers('a reader that takes nothing is disconnected, the others get every event', async () => {
  const stalled = await readEvents(port, '?type=session')
  const quick = await readEvents(port, '?type=session')
  stalled.pause()
  let sent = 0
  // Long events fill the kernel's buffers of the connection, short ones the daemon's log.
  for (let round = 0; !lab.log.some(line => line.includes('too slow')) && round < 20; round += 1) {
    for (const [count, length] of [
      [400, 10_000],
      [4000, 1],
    ] as const) {
      flood(count, length)
      await quick.first({ type: 'session-logout' })
      sent += count + 1
      const got = quick.events.splice(0)
      equal([got.length, got.at(-1)?.type], [count + 1, 'session-logout'])
    }
  }
  ok(sent < 80_000)
  await lab.logged(/GET \/events from 127\.0\.0\.1: closed: reader too slow/)
  stalled.resume()
  await stalled.ended
  flood(0, 0)
  await quick.first({ type: 'session-logout' })
  quick.close()
})

/** An event stream of its own with one reader. */
async function openStream(heartbeatMilliseconds: number, disconnect: (reason: string) => void, types: string[] = []) {
  const events = createEvents(createLog(() => {}))
  const none = { list: async () => [] }
  const store = { computers: none, schedules: none }
  const limits = { events_bytes: 1_000_000 }
  const resolveRights = async () => adminRights
  const followSession = () => () => true
  const noSession = { header: () => '', isSecure: false }
  const stream = await createEventStream({ store, events, limits, resolveRights, followSession, heartbeatMilliseconds })
  const read = stream.read(
    { types, clients: ['127.0.3.9'], rooms: [], after: '' },
    { ...noSession, signal: new AbortController().signal, rights: adminRights, disconnect },
  )
  return { stream, events, chunks: 'refused' in read ? undefined : read[Symbol.asyncIterator]() }
}

for (const { types, heartbeat } of [
  { types: [], heartbeat: /^event: heartbeat\ndata: {"time":"[^"]+","type":"heartbeat"}\n\n$/ },
  { types: ['job', 'heartbeat'], heartbeat: /^event: heartbeat\n/ },
  { types: ['job'], heartbeat: /^: alive\n\n$/ },
]) {
  const words = types.length === 0 ? 'without types' : `of the types ${types.join(' and ')}`
  readers(`a filter ${words} gets a heartbeat without an id, whatever its clients: ${heartbeat.source}`, async () => {
    const { stream, chunks } = await openStream(5, () => {}, types)
    is((await chunks?.next())?.value, 'retry: 2000\n\n')
    // The heartbeat's timer does not keep the process alive.
    const alive = setTimeout(() => {}, 5000)
    match((await chunks?.next())?.value, heartbeat)
    clearTimeout(alive)
    stream.close()
    is((await chunks?.next())?.done, true)
  })
}

readers('a heartbeat comes also among other events', async () => {
  const reasons: string[] = []
  const { stream, events, chunks } = await openStream(60, reason => reasons.push(reason))
  await chunks?.next()
  events.emit({ type: 'client-gone', addr: '127.0.3.9' })
  // Two heartbeats later the event is ready, too.
  await pollUntil(() => reasons.length > 0)
  match((await chunks?.next())?.value, /^id: .*\nevent: client-gone\n[\s\S]*\nevent: heartbeat\n/)
  stream.close()
})

readers('a reader that takes nothing for two heartbeats is disconnected', async () => {
  const reasons: string[] = []
  const { stream, chunks } = await openStream(5, reason => reasons.push(reason))
  await chunks?.next()
  await pollUntil(() => reasons.length > 0)
  stream.close()
  is(reasons[0], 'reader idle for 0.01 s')
})

readers('the signal of a request is aborted when its reader disconnects', async () => {
  const file = site.path('going.ts')
  writeFileSync(
    file,
    `let ended = 0\nexport default { summary: 'x', route: 'GET /going', answer({ services, request: { signal, query } }) {
  if ('ended' in query) return { ended }
  signal.addEventListener('abort', () => { ended += 1 })
  return services.text('text/event-stream', (async function* () { yield 'one'; await new Promise(() => {}) })())
} }\n`,
  )
  await site.nextEvent('going.ts', 'module-loaded')
  is((await site.lab.call('GET /going')).status, 200)
  let ended = 0
  for (let tries = 0; ended === 0 && tries < 100; tries += 1) {
    ended = (await site.lab.call('GET /going?ended')).json.ended
  }
  is(ended, 1)
})

readers('a stream is ended when its caller disconnected before it was sent', async () => {
  writeFileSync(
    site.path('hasty.ts'),
    `let started = 0, open = 0
async function* words(signal) {
  started += 1
  open += 1
  // Only a reader that begins to send asks for more than the first word; \`return\` waits until this promise is settled.
  try { yield 'one'; await new Promise(resolve => signal.aborted ? resolve() : signal.addEventListener('abort', resolve)) }
  finally { open -= 1 }
}
export default { summary: 'x', route: 'GET /hasty', answer: ({ services, request: { query, signal } }) =>
  'counts' in query ? { started, open } : services.text('text/plain', words(signal)) }\n`,
  )
  await site.nextEvent('hasty.ts', 'module-loaded')
  const callers = Array.from({ length: 20 }, async () => {
    const { socket, closed } = connectCaller(site.lab.host.ports.rest)
    await once(socket, 'connect')
    socket.write(bytesOf('GET /hasty'))
    socket.resetAndDestroy()
    await closed
  })
  await Promise.all(callers)
  let counts = { started: 0, open: 0 }
  for (let tries = 0; (counts.started === 0 || counts.open > 0) && tries < 200; tries += 1) {
    counts = (await site.lab.call('GET /hasty?counts')).json
  }
  ok(counts.started > 0)
  is(counts.open, 0)
})

readers('all streams end at once when the daemon stops', async () => {
  const reader = await readEvents(port)
  const time = startQuietTimer()
  const stopping = lab.stop()
  await reader.ended
  // Requests in progress would get a second to finish.
  ok(time() < 900, 'the daemon waited for its readers')
  await stopping
})

readers.after(() => site.stop())
readers.run()

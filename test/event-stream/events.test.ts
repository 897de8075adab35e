// Live events: what is told, to whom, what a reader that comes back gets, and what slow readers cost.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { createEventStream } from '../../host/event-stream/service.ts'
import { createEvents, eventTypes } from '../../host/system/events.ts'
import { createLog } from '../../host/system/log.ts'
import { readEvents } from '../harness/event-reader.ts'
import { bytesOf, connectCaller } from '../harness/raw-http.ts'
import { saying, startSite } from '../harness/site-folder.ts'
import { startLab, token } from '../harness/test-host.ts'

const lab = await startLab()
const site = await startSite()
const { rest: port } = lab.host.ports
await lab.addComputer('127.0.0.2')
await lab.addComputer('127.0.0.3')
await lab.call('POST /room/add', { name: 'Other', netmask: '255.255.255.0', center: 1 })
await lab.addComputer('127.0.0.4', { room: 2 })
const all = await readEvents(port)

const told = suite('what is told')

told('an event has id, time, type, clients and rooms', async () => {
  await lab.agent('127.0.0.2')
  const event = await all.first({ type: 'client-connected' })
  equal([event.clients, event.rooms], [['127.0.0.2'], [1]])
  ok(Number.isSafeInteger(event.id) && Math.abs(Date.parse(event.time) - Date.now()) < 60_000)
  ok(all.text().includes(`id: ${event.id}\nevent: client-connected\ndata: {`))
})

told('a client that connects, changes its state and goes', async () => {
  const agent = await lab.agent('127.0.0.3')
  await all.first({ type: 'client-connected', clients: [agent.addr] })
  await all.first({ type: 'client-state', clients: [agent.addr], state: 'BSY' })
  await all.first({ type: 'client-state', clients: [agent.addr], state: 'OPG', status: 'oglive' })
  await agent.close()
  await all.first({ type: 'client-gone', clients: [agent.addr] })
})

told('a login and a logout, with the user', async () => {
  const agent = await lab.agent('127.0.0.5', { refresh: { status: 200, body: { status: 'LINUX' } } })
  agent.answer(103, { event: 'session', action: 'start', user: 'ann' })
  await all.first({ type: 'session-login', clients: [agent.addr], rooms: [], user: 'ann' })
  await all.first({ type: 'client-state', clients: [agent.addr], status: 'linux-session' })
  agent.answer(103, { event: 'session', action: 'stop', user: 'ann' })
  await all.first({ type: 'session-logout', clients: [agent.addr], user: 'ann' })
})

told('a job that is created, the outcome of each part, and its end', async () => {
  const agent = await lab.agent('127.0.0.6')
  const clients = ['127.0.0.6', '127.0.0.7', '127.0.0.4']
  const { headers } = await lab.call('POST /shell/run', { clients, run: 'true', echo: true })
  const job = Number(headers['x-job-id'])
  await all.first({ type: 'job-created', job, clients, rooms: [2], name: 'shell-run', origin: 'request' })
  await all.first({ type: 'job-part', job, clients: ['127.0.0.7'], state: 'skipped', reason: 'unknown' })
  await all.first({ type: 'job-part', job, clients: ['127.0.0.4'], state: 'skipped', reason: 'not connected' })
  await agent.next('/shell/run')
  agent.answer(200, { out: 'done' })
  await all.first({ type: 'job-part', job, clients: ['127.0.0.6'], command: 'shell-run', state: 'success' })
  await all.first({ type: 'job-finished', job, name: 'shell-run', counts: { skipped: 2, success: 1 } })
})

told('a part is told when it is stored, so that who asks for the job finds it', async () => {
  const { headers } = await lab.call('POST /poweroff?queue=1', { clients: ['127.0.0.4'] })
  const id = String(headers['x-job-id'])
  await lab.call('POST /job/cancel', { id })
  await all.first({ type: 'job-part', job: Number(id), state: 'cancelled', reason: 'by request' })
  is((await lab.call(`GET /jobs/${id}`)).json.counts.cancelled, 1)
  await all.first({ type: 'job-finished', job: Number(id), counts: { cancelled: 1 } })
})

told('a wake-up that is sent and answered', async () => {
  await lab.call('POST /wol', { clients: ['127.0.0.4'], type: 'unicast' })
  await all.first({ type: 'wake-sent', clients: ['127.0.0.4'], rooms: [2] })
  await lab.agent('127.0.0.4')
  await all.first({ type: 'wake-answered', clients: ['127.0.0.4'] })
})

told('a computer that is added, changed, moved and removed', async () => {
  await lab.addComputer('10.2.0.1')
  await all.first({ type: 'computer-added', clients: ['10.2.0.1'], rooms: [1] })
  await lab.call('POST /client/update', { ip: '10.2.0.1', name: 'new' })
  await all.first({ type: 'computer-changed', clients: ['10.2.0.1'], rooms: [1] })
  await lab.call('POST /client/update', { ip: '10.2.0.1', room: 2 })
  await all.first({ type: 'computer-changed', clients: ['10.2.0.1'], rooms: [1, 2] })
  await lab.call('POST /client/delete', { clients: ['10.2.0.1'] })
  await all.first({ type: 'computer-removed', clients: ['10.2.0.1'], rooms: [2] })
})

told('computers that go with their room', async () => {
  const { json } = await lab.call('POST /room/add', { name: 'Short', netmask: '255.255.255.0', center: 1 })
  is(json, undefined)
  await lab.addComputer('10.3.0.1', { room: 3 })
  await lab.call('POST /room/delete', { id: '3' })
  await all.first({ type: 'computer-removed', clients: ['10.3.0.1'], rooms: [3] })
})

told('an image and a schedule', async () => {
  const agent = await lab.agent('127.0.0.8')
  const image = { disk: '1', partition: '1', code: '131', repository: '10.0.0.1', id: '0' }
  await lab.call('POST /image/create', { clients: [agent.addr], ...image, name: 'ubuntu', description: 'new' })
  await all.first({ type: 'image-added', image: 1, name: 'ubuntu' })
  await agent.next('/image/create')
  const made = { software: 'Ubuntu\nvim', datasize: 1, clonator: 'p', compressor: 'l', filesystem: 'EXT4', code: '131' }
  agent.answer(200, { ...image, ...made, id: '1', name: 'ubuntu' })
  await all.first({ type: 'image-changed', image: 1 })
  await lab.call('POST /image/delete', { image: '1' })
  await all.first({ type: 'image-removed', image: 1, name: 'ubuntu' })
  await lab.call('POST /schedule/create', { task: '1', name: 'Evening', type: 'task', suspended: 1 })
  await all.first({ type: 'schedule-added', schedule: 1, name: 'Evening' })
  await lab.call('POST /schedule/update', { id: '1', task: '1', name: 'Night' })
  await all.first({ type: 'schedule-changed', schedule: 1, name: 'Night' })
  await lab.call('POST /schedule/delete', { id: '1' })
  await all.first({ type: 'schedule-removed', schedule: 1 })
})

told('a module that is loaded, fails and goes', async () => {
  const reader = await readEvents(site.lab.host.ports.rest, '?type=module')
  await site.save('one.ts', saying('one', 'GET /one'))
  await reader.first({ type: 'module-loaded', command: 'one' })
  await site.save('one.ts', 'export default {}\n')
  match(String((await reader.first({ type: 'module-failed', file: site.path('one.ts') })).reason), /missing/)
  reader.close()
})

told('every type that was told is one that can be asked for', () => {
  const types = new Set(all.events.map(({ type }) => type))
  ok(types.size > 15)
  equal(
    [...types].filter(type => !eventTypes.some(one => one === type)),
    [],
  )
})

told.run()

const filters = suite('filters')

filters('type, client and room leave out what they do not name; each may name several', async () => {
  const [last] = all.events.slice(-1)
  const readers = {
    type: await readEvents(port, '?type=client-gone,wake'),
    client: await readEvents(port, '?client=127.0.1.1&client=127.0.0.4'),
    room: await readEvents(port, '?room=2&type=client'),
  }
  const agents = await Promise.all(['127.0.1.1', '127.0.1.2'].map(addr => lab.agent(addr)))
  await Promise.all(agents.map(agent => agent.close()))
  await lab.addComputer('127.0.1.3', { room: 2 })
  const inRoom = await lab.agent('127.0.1.3')
  await inRoom.close()
  await readers.type.first({ type: 'client-gone', clients: ['127.0.1.3'] })
  await readers.client.first({ type: 'client-gone', clients: ['127.0.1.1'] })
  await readers.room.first({ type: 'client-gone', clients: ['127.0.1.3'] })
  ok(readers.type.events.every(({ type }) => type === 'client-gone' || type.startsWith('wake-')))
  is(readers.type.events.length, 3)
  ok(readers.client.events.every(({ clients }) => clients.includes('127.0.1.1')))
  ok(readers.room.events.every(({ rooms, type }) => rooms.includes(2) && type.startsWith('client-')))
  for (const reader of Object.values(readers)) {
    ok(reader.events.every(({ id }) => id > (last?.id ?? 0)))
    reader.close()
  }
})

for (const query of ['type=clinet', 'client=pc', 'room=one']) {
  filters(`?${query} is 400`, async () => {
    is((await lab.call(`GET /events?${query}`)).status, 400)
  })
}

filters.run()

const access = suite('access')

access('the token may come in the query, here and nowhere else', async () => {
  const reader = await readEvents(port, `?token=${token}`, { Authorization: '' })
  equal([reader.status, reader.headers['content-type']], [200, 'text/event-stream'])
  reader.close()
  for (const path of ['/events', '/events?token=', '/events?token=wrong', `/eventsX?token=${token}`]) {
    is((await lab.call(`GET ${path}`, undefined, { Authorization: '' })).status, 401)
  }
  is((await lab.call(`GET /clients?token=${token}`, undefined, { Authorization: '' })).status, 401)
  is((await lab.call(`POST /events?token=${token}`, undefined, { Authorization: '' })).status, 401)
  not.match(lab.log.join(''), token)
})

access.run()

const replay = suite('coming back')

replay('Last-Event-ID brings what has happened since, in order, without a gap', async () => {
  const [from] = all.events.slice(-20)
  await lab.agent('127.0.2.1')
  await all.first({ type: 'client-ready', clients: ['127.0.2.1'] })
  const reader = await readEvents(port, '', { 'Last-Event-ID': String(from?.id) })
  await reader.first({ type: 'client-ready', clients: ['127.0.2.1'] })
  const since = all.events.filter(({ id }) => id > (from?.id ?? 0))
  equal(reader.events.slice(0, since.length), since)
  reader.close()
})

replay('what happened while nobody listened is replayed too, with its rooms', async () => {
  const quiet = await startLab()
  await quiet.addComputer('127.0.2.2')
  await quiet.agent('127.0.2.2')
  const first = await readEvents(quiet.host.ports.rest, '?last_event_id=1')
  const { id } = await first.first({ type: 'client-ready' })
  const missing = first.events[0]
  equal([missing?.type, missing?.after], ['events-missing', '1'])
  equal((await first.first({ type: 'client-connected' })).rooms, [1])
  first.close()
  const second = await readEvents(quiet.host.ports.rest, '', { 'Last-Event-ID': String(id) })
  await quiet.call('POST /client/delete', { clients: ['127.0.2.2'] })
  is((await second.first({ type: 'computer-removed' })).id, second.events[0]?.id)
  await quiet.stop()
})

for (const id of ['1', '9007199254740991', 'abc']) {
  replay(`an id that is not kept, ${id}, is told first`, async () => {
    const reader = await readEvents(port, '', { 'Last-Event-ID': id })
    is((await reader.first({ type: 'events-missing' })).after, id)
    await reader.first({ type: 'client-connected' })
    is(reader.events[0]?.type, 'events-missing')
    reader.close()
  })
}

replay.run()

const readers = suite('readers')
readers.after(() => site.stop())

const flood = (count: number, length: number) => {
  const user = 'x'.repeat(length)
  for (let index = 0; index < count; index += 1)
    lab.host.events.emit({ type: 'session-login', addr: '127.0.3.1', user })
  lab.host.events.emit({ type: 'session-logout', addr: '127.0.3.1' })
}

readers('one that takes nothing is cut off, the others miss nothing', async () => {
  const stalled = await readEvents(port, '?type=session')
  const quick = await readEvents(port, '?type=session')
  stalled.pause()
  let sent = 0
  // Long ones fill what the kernel keeps for the connection, short ones are as many as the daemon keeps.
  for (let round = 0; !lab.log.some(line => line.includes('cut off')) && round < 20; round += 1) {
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
  await lab.logged(/GET \/events from 127\.0\.0\.1: cut off, too slow for the events/)
  stalled.resume()
  await stalled.ended
  flood(0, 0)
  await quick.first({ type: 'session-logout' })
  quick.close()
})

readers('inside the daemon, a listener hears the types that it names, and no more once it has stopped', () => {
  const lines: string[] = []
  const events = createEvents(createLog(line => lines.push(line)))
  const heard: string[] = []
  const stop = events.on(({ type }) => heard.push(`some ${type}`), ['client-gone', 'wake-sent'])
  events.on(() => {
    throw new Error('of this listener alone')
  }, ['client-gone'])
  events.on(({ type }) => heard.push(`all ${type}`))
  const addr = '10.0.0.1'
  events.emit({ type: 'client-gone', addr })
  events.emit({ type: 'client-ready', addr })
  equal(heard.splice(0), ['some client-gone', 'all client-gone', 'all client-ready'])
  is(lines.filter(line => /a listener of client-gone failed/.test(line)).length, 1)
  stop()
  events.emit({ type: 'wake-sent', addr })
  equal(heard, ['all wake-sent'])
})

/** A stream of its own, with heartbeats as fast as a test wants them. */
function streamOfOwn(heartbeatMilliseconds: number, cutOff: (reason: string) => void) {
  const events = createEvents(createLog(() => {}))
  const computers = { find: async () => undefined }
  const stream = createEventStream({ store: Object({ computers }), events, heartbeatMilliseconds })
  const read = stream.read(
    { types: [], clients: [], rooms: [], after: '' },
    { signal: new AbortController().signal, disconnect: cutOff },
  )
  return { stream, chunks: 'refused' in read ? undefined : read[Symbol.asyncIterator]() }
}

readers('a comment keeps a stream alive on which nothing happens', async () => {
  const { stream, chunks } = streamOfOwn(5, () => {})
  is((await chunks?.next())?.value, 'retry: 2000\n\n')
  // The timer of a heartbeat keeps no process alive; here it is all that there is.
  const alive = setTimeout(() => {}, 5000)
  is((await chunks?.next())?.value, ': alive\n\n')
  clearTimeout(alive)
  stream.close()
  is((await chunks?.next())?.done, true)
})

readers('one that takes nothing between two heartbeats is cut off', async () => {
  const alive = setTimeout(() => {}, 5000)
  const reason = await new Promise<string>(resolve => {
    const { chunks } = streamOfOwn(5, resolve)
    void chunks?.next()
  })
  clearTimeout(alive)
  is(reason, 'it takes nothing')
})

readers('one that has gone leaves nothing behind', async () => {
  const file = site.path('going.ts')
  writeFileSync(
    file,
    `let ended = 0\nexport default { summary: 'x', route: 'GET /going', answer(_, rooms, { signal, query }) {
  if (query.has('ended')) return { ended }
  signal.addEventListener('abort', () => { ended += 1 })
  return { type: 'text/event-stream', body: (async function* () { yield 'one'; await new Promise(() => {}) })() }
} }\n`,
  )
  await site.told('going.ts', 'module-loaded')
  is((await site.lab.call('GET /going')).status, 200)
  let ended = 0
  for (let tries = 0; ended === 0 && tries < 100; tries += 1) {
    ended = (await site.lab.call('GET /going?ended')).json.ended
  }
  is(ended, 1)
})

readers('a stream is ended whose caller was gone before it was sent', async () => {
  writeFileSync(
    site.path('hasty.ts'),
    `let begun = 0, open = 0
async function* words() { begun += 1; open += 1; try { yield 'one'; await new Promise(() => {}) } finally { open -= 1 } }
export default { summary: 'x', route: 'GET /hasty', answer: (_, rooms, { query }) =>
  query.has('seen') ? { begun, open } : { type: 'text/plain', body: words() } }\n`,
  )
  await site.told('hasty.ts', 'module-loaded')
  const callers = Array.from({ length: 20 }, async () => {
    const { socket, closed } = connectCaller(site.lab.host.ports.rest)
    await once(socket, 'connect')
    socket.write(bytesOf('GET /hasty'))
    socket.resetAndDestroy()
    await closed
  })
  await Promise.all(callers)
  let seen = { begun: 0, open: 0 }
  for (let tries = 0; (seen.begun === 0 || seen.open > 0) && tries < 200; tries += 1) {
    seen = (await site.lab.call('GET /hasty?seen')).json
  }
  ok(seen.begun > 0)
  is(seen.open, 0)
})

readers('all streams end at once when the daemon ends', async () => {
  const began = performance.now()
  const stopping = lab.stop()
  await all.ended
  // Requests under way are given a second.
  ok(performance.now() - began < 900, 'the daemon waited for its readers')
  await stopping
})

readers.run()

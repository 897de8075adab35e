// Filters, access and replay of GET /events.
import { suite } from 'uvu'
import { equal, is, not, ok } from 'uvu/assert'
import { readEvents } from '../harness/event-reader.ts'
import { startTestHost, token } from '../harness/test-host.ts'

const lab = await startTestHost()
const { rest: port } = lab.host.ports
await lab.addComputer('127.0.0.2')
await lab.call('POST /room/add', { name: 'Other', netmask: '255.255.255.0', center: 1 })
await lab.addComputer('127.0.0.4', { room: 2 })
const all = await readEvents(port)
await lab.agent('127.0.0.2')
await all.first({ type: 'client-ready', clients: ['127.0.0.2'] })

const filters = suite('event filters')

filters('type, client and room restrict the events; each may have several values', async () => {
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

filters('the creation and the end of a job pass the filters for each of its clients and rooms', async () => {
  const clients = [...Array.from({ length: 150 }, (_, index) => `127.9.0.${index + 1}`), '127.0.0.4']
  const readers = await Promise.all(
    ['?type=job&room=2', '?type=job&client=127.0.0.4'].map(query => readEvents(port, query)),
  )
  const { headers } = await lab.call('POST /poweroff', { clients })
  const job = Number(headers['x-job-id'])
  for (const reader of readers) {
    for (const type of ['job-created', 'job-finished']) {
      const event = await reader.first({ type, job })
      // Of a large job only the first clients and their number.
      equal([event.clients, event.clients_total, event.rooms], [clients.slice(0, 100), 151, [2]])
    }
    reader.close()
  }
})

for (const query of ['type=clinet', 'client=pc', 'room=one']) {
  filters(`?${query} is 400`, async () => {
    is((await lab.call(`GET /events?${query}`)).status, 400)
  })
}

filters.run()

const access = suite('access to events')

access('GET /events accepts the token in its query, no other route does', async () => {
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

const replay = suite('event replay')

replay('the id of GET /me begins a stream that has what happens from then on', async () => {
  const { last_event_id: id } = (await lab.call('GET /me')).json
  lab.host.events.emit({ type: 'session-login', addr: '127.0.3.7', user: 'after' })
  const reader = await readEvents(port, `?last_event_id=${id}`)
  is((await reader.first({ type: 'session-login' })).user, 'after')
  reader.close()
})

replay('Last-Event-ID replays all later events in order', async () => {
  const [from] = all.events.slice(-20)
  await lab.agent('127.0.2.1')
  await all.first({ type: 'client-ready', clients: ['127.0.2.1'] })
  const reader = await readEvents(port, '', { 'Last-Event-ID': String(from?.id) })
  await reader.first({ type: 'client-ready', clients: ['127.0.2.1'] })
  const since = all.events.filter(({ id }) => id > (from?.id ?? 0))
  equal(reader.events.slice(0, since.length), since)
  reader.close()
})

replay('events without any reader are replayed too, with their rooms', async () => {
  const other = await startTestHost()
  await other.addComputer('127.0.2.2')
  await other.agent('127.0.2.2')
  const first = await readEvents(other.host.ports.rest, '?last_event_id=1')
  const { id } = await first.first({ type: 'client-ready' })
  const missing = first.events[0]
  equal([missing?.type, missing?.after], ['events-missing', '1'])
  equal((await first.first({ type: 'client-connected' })).rooms, [1])
  first.close()
  const second = await readEvents(other.host.ports.rest, '', { 'Last-Event-ID': String(id) })
  await other.call('POST /client/delete', { clients: ['127.0.2.2'] })
  is((await second.first({ type: 'computer-removed' })).id, second.events[0]?.id)
  await other.stop()
})

for (const id of ['1', '9007199254740991', 'abc']) {
  replay(`a reader with the id ${id}, which is not in the log, first gets events-missing`, async () => {
    const reader = await readEvents(port, '', { 'Last-Event-ID': id })
    is((await reader.first({ type: 'events-missing' })).after, id)
    await reader.first({ type: 'client-connected' })
    is(reader.events[0]?.type, 'events-missing')
    reader.close()
  })
}

replay.after(() => lab.stop())
replay.run()

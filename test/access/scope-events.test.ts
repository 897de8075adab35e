// What a reader of the event stream gets whose rights are limited to a room, also while these rights change.
import { suite } from 'uvu'
import { equal, is, not } from 'uvu/assert'
import { type EventJson, readEvents } from '../harness/event-reader.ts'
import { hidden, inside, outside, startLab } from '../harness/lab.ts'

const lab = await startLab({ scope: true })
const { add, addToken } = lab
const assistant = await addToken('assistant', 'operate')
const faculty = await addToken('faculty', 'read', { centers: [1] })
const [here = '', here2 = ''] = inside
const [there = '', far = ''] = outside
const open = (token: string, query = '') => readEvents(lab.host.ports.rest, query, { Authorization: token })
const reader = await open(assistant.token)
const facultyReader = await open(faculty.token)
const admin = await open('the-token')

/** Resolves when the reader has everything that was emitted before: an event of a computer inside is the last one. */
async function settle(): Promise<void> {
  settled += 1
  const ip = `127.0.31.${100 + settled}`
  await lab.addComputer(ip)
  await reader.first({ type: 'computer-added', clients: [ip] })
}
let settled = 0

const typesOf = (events: EventJson[]) => events.map(({ type }) => type)

const test = suite('events of limited readers')
test.after(() => lab.stop())

test('events of clients outside are not sent', async () => {
  await lab.agent(there)
  await lab.agent('127.0.99.1')
  await lab.agent(here)
  await reader.first({ type: 'client-ready', clients: [here], rooms: [1] })
  await facultyReader.first({ type: 'client-connected', clients: [there], rooms: [2] })
  await settle()
  equal(
    reader.events.filter(({ clients }) => !clients.every(addr => addr.startsWith('127.0.31.'))),
    [],
  )
})

test('the events of a mixed job have the clients inside only, and no counts of others', async () => {
  const clients = [here2, far]
  const job = Number((await lab.call('POST /poweroff?queue=1', { clients })).headers['x-job-id'])
  await lab.call('POST /job/cancel', { id: String(job) })
  await reader.first({ type: 'job-created', job, clients: [here2], rooms: [1] })
  const { counts } = await reader.first({ type: 'job-finished', job, clients: [here2], rooms: [1] })
  is(counts, undefined)
  await admin.first({ type: 'job-finished', job, clients })
  equal(
    reader.events.filter(({ type, job: id }) => type === 'job-part' && id === job).map(event => event.clients),
    [[here2]],
  )
  const foreign = Number((await lab.call('POST /poweroff?queue=1', { clients: [far] })).headers['x-job-id'])
  await settle()
  equal(
    reader.events.filter(({ job: id }) => id === foreign),
    [],
  )
  const own = Number((await assistant.call('POST /poweroff?queue=1', { clients: [here2] })).headers['x-job-id'])
  await assistant.call('POST /job/cancel', { id: String(own) })
  await reader.first({ type: 'job-finished', job: own, counts: { cancelled: 1 } })
})

test('a filter by a room outside finds nothing, also of events that concern both', async () => {
  const filtered = await open(assistant.token, '?room=2,1&client=127.0.32.1')
  const job = Number((await lab.call('POST /poweroff?queue=1', { clients: [here2, there] })).headers['x-job-id'])
  await reader.first({ type: 'job-created', job })
  await settle()
  equal(filtered.events, [])
  filtered.close()
})

test('a computer that moves is an event of both rooms; afterwards its events belong to the new one', async () => {
  await lab.call('POST /client/update', { ip: here2, room: 2 })
  await reader.first({ type: 'computer-changed', clients: [here2], rooms: [1] })
  await facultyReader.first({ type: 'computer-changed', clients: [here2], rooms: [1, 2] })
  const agent = await lab.agent(here2)
  await facultyReader.first({ type: 'client-ready', clients: [here2], rooms: [2] })
  await lab.call('POST /client/update', { ip: there, room: 1 })
  await reader.first({ type: 'computer-changed', clients: [there], rooms: [1] })
  await lab.call('POST /client/update', { ip: there, room: 2 })
  await settle()
  equal(
    reader.events.filter(({ type, clients }) => type.startsWith('client-') && clients.includes(here2)),
    [],
  )
  agent.destroy()
  await lab.event('client-gone', { addr: here2 })
  await lab.call('POST /client/update', { ip: here2, room: 1 })
})

test('a computer in a new room of the center is seen at once', async () => {
  const room = await add('POST /room/add', { name: 'New', netmask: '255.255.255.0', center: 1 })
  await lab.addComputer('127.0.34.1', { room })
  await facultyReader.first({ type: 'computer-added', clients: ['127.0.34.1'], rooms: [room] })
  await lab.call('POST /client/delete', { clients: ['127.0.34.1'] })
  await facultyReader.first({ type: 'computer-removed', clients: ['127.0.34.1'], rooms: [room] })
})

test('schedules are events for who made them, images for all, files of modules, alerts and other rooms for nobody', async () => {
  await add('POST /procedure/add', { center: '1', name: 'Procedure' })
  await add('POST /task/add', { center: '1', name: 'Task', steps: [{ procedure: 1 }], clients: [here] })
  await add('POST /schedule/create', { task: '1', name: 'Outsider', type: 'task', suspended: 1 })
  const payload = { task: '1', name: 'Mine', type: 'task', suspended: 1 }
  const id = Number((await assistant.call('POST /schedule/create', payload)).headers['x-id'])
  await reader.first({ type: 'schedule-added', schedule: id, name: 'Mine' })
  is(await assistant.status('POST /schedule/delete', { id: String(id) }), 200)
  await reader.first({ type: 'schedule-removed', schedule: id })
  lab.host.events.emit({ type: 'image-added', image: 7, name: 'ubuntu' })
  lab.host.events.emit({ type: 'module-removed', file: '/tmp/outsider.ts' })
  lab.host.events.emit({ type: 'pack-alert', addr: there, alert: 'disk-health/failing', text: 'of another room' })
  lab.host.events.emit({ type: 'modules-changed' })
  await reader.first({ type: 'image-added', image: 7, name: 'ubuntu' })
  await settle()
  equal(
    typesOf(reader.events).filter(type => /^(schedule|module|pack)/.test(type)),
    ['schedule-added', 'schedule-removed', 'modules-changed'],
  )
  equal(
    typesOf(facultyReader.events).filter(type => type.startsWith('schedule')),
    [],
  )
  // Only the makers of schedules are kept for this: no event shows them.
  not.match(admin.text(), '"maker"')
})

test('a reader that comes back gets nothing of what lay or lies outside', async () => {
  const from = String((reader.events[0]?.id ?? 0) - 1)
  const again = await open(assistant.token, `?last_event_id=${from}`)
  await again.first({ type: 'image-added', image: 7 })
  not.match(again.text(), here2 === '' ? /x/ : /"client-connected".*127\.0\.31\.2/)
  const moved = (text: string) => text.replace(/.*"computer-changed".*/g, '')
  not.match(moved(again.text()), hidden)
  not.match(moved(reader.text()), hidden)
  again.close()
})

test('the stream ends when the token is changed, as its rights are asked again', async () => {
  await lab.call('POST /token/update', { id: String(assistant.id), rooms: [2] })
  const job = Number((await lab.call('POST /poweroff?queue=1', { clients: [here2, there] })).headers['x-job-id'])
  await reader.first({ type: 'job-created', job, clients: [there], rooms: [2] })
  await lab.call('POST /token/update', { id: String(assistant.id), disabled: true })
  await lab.call('POST /poweroff?queue=1', { clients: [there] })
  await reader.ended
  await lab.logged(/GET \/events from 127\.0\.0\.1: closed: the rights of its reader are gone/)
})

test.run()

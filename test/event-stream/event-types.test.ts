// The events of GET /events: which changes emit them, and what they carry.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { streamedTypes } from '../../host/contract/fleet-events.ts'
import { readEvents } from '../harness/event-reader.ts'
import { startSite, textCommand } from '../harness/site-folder.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { hosts: true }

const lab = await startTestHost()
const site = await startSite()
await lab.addComputer('127.0.0.2')
await lab.addComputer('127.0.0.3')
await lab.call('POST /room/add', { name: 'Other', netmask: '255.255.255.0', center: 1 })
await lab.addComputer('127.0.0.4', { room: 2 })
const reader = await readEvents(lab.host.ports.rest)

const test = suite('event types')

test('an event has an id, a time, a type, clients and rooms', async () => {
  await lab.agent('127.0.0.2')
  const event = await reader.first({ type: 'client-connected' })
  equal([event.clients, event.rooms], [['127.0.0.2'], [1]])
  ok(Number.isSafeInteger(event.id) && Math.abs(Date.parse(event.time) - Date.now()) < 60_000)
  ok(reader.text().includes(`id: ${event.id}\nevent: client-connected\ndata: {`))
})

test('a client that connects, changes its state and disconnects emits an event each time', async () => {
  const agent = await lab.agent('127.0.0.3')
  await reader.first({ type: 'client-connected', clients: [agent.addr] })
  await reader.first({ type: 'client-state', clients: [agent.addr], state: 'BSY' })
  await reader.first({ type: 'client-state', clients: [agent.addr], state: 'OPG', status: 'oglive' })
  await agent.close()
  await reader.first({ type: 'client-gone', clients: [agent.addr] })
})

test('a login, a lock and a logout emit events with the user', async () => {
  const agent = await lab.agent('127.0.0.5', { refresh: { status: 200, body: { status: 'LINUX' } } })
  agent.answer(103, { event: 'session', action: 'start', user: 'ann' })
  await reader.first({ type: 'session-login', clients: [agent.addr], rooms: [], user: 'ann' })
  await reader.first({ type: 'client-state', clients: [agent.addr], status: 'linux-session' })
  agent.answer(103, { event: 'session', action: 'start', user: 'ann', locked: true })
  await reader.first({ type: 'session-lock', clients: [agent.addr], user: 'ann', locked: true })
  agent.answer(103, { event: 'session', action: 'stop', user: 'ann' })
  await reader.first({ type: 'session-logout', clients: [agent.addr], user: 'ann' })
})

test('a job emits events for its creation, the outcome of each part, and its end', async () => {
  const agent = await lab.agent('127.0.0.6')
  const clients = ['127.0.0.6', '127.0.0.7', '127.0.0.4']
  const { headers } = await lab.call('POST /shell/run', { clients, run: 'true', echo: true })
  const job = Number(headers['x-job-id'])
  await reader.first({ type: 'job-created', job, clients, rooms: [2], name: 'shell-run', origin: 'request' })
  await reader.first({ type: 'job-part', job, clients: ['127.0.0.7'], state: 'skipped', reason: 'unknown' })
  await reader.first({ type: 'job-part', job, clients: ['127.0.0.4'], state: 'skipped', reason: 'not connected' })
  await agent.next('/shell/run')
  agent.answer(200, { out: 'done' })
  await reader.first({ type: 'job-part', job, clients: ['127.0.0.6'], command: 'shell-run', state: 'success' })
  await reader.first({ type: 'job-finished', job, name: 'shell-run', counts: { skipped: 2, success: 1 } })
})

test('a job-part event comes after its part is stored, so that GET /jobs/ID shows it', async () => {
  const { headers } = await lab.call('POST /poweroff?queue=1', { clients: ['127.0.0.4'] })
  const id = String(headers['x-job-id'])
  await lab.call('POST /job/cancel', { id })
  await reader.first({ type: 'job-part', job: Number(id), state: 'cancelled', reason: 'by request' })
  is((await lab.call(`GET /jobs/${id}`)).json.counts.cancelled, 1)
  await reader.first({ type: 'job-finished', job: Number(id), counts: { cancelled: 1 } })
})

test('a wake-up emits events when it is sent and when the client connects', async () => {
  await lab.call('POST /wol', { clients: ['127.0.0.4'], type: 'unicast' })
  await reader.first({ type: 'wake-sent', clients: ['127.0.0.4'], rooms: [2] })
  await lab.agent('127.0.0.4')
  await reader.first({ type: 'wake-answered', clients: ['127.0.0.4'] })
})

test('a computer that is added, changed, moved and removed emits events with its rooms', async () => {
  await lab.addComputer('10.2.0.1')
  await reader.first({ type: 'computer-added', clients: ['10.2.0.1'], rooms: [1] })
  await lab.call('POST /client/update', { ip: '10.2.0.1', name: 'new' })
  await reader.first({ type: 'computer-changed', clients: ['10.2.0.1'], rooms: [1] })
  await lab.call('POST /client/update', { ip: '10.2.0.1', room: 2 })
  await reader.first({ type: 'computer-changed', clients: ['10.2.0.1'], rooms: [1, 2] })
  await lab.call('POST /client/delete', { clients: ['10.2.0.1'] })
  await reader.first({ type: 'computer-removed', clients: ['10.2.0.1'], rooms: [2] })
})

test('computers that are deleted with their room emit computer-removed', async () => {
  const { json } = await lab.call('POST /room/add', { name: 'Short', netmask: '255.255.255.0', center: 1 })
  is(json, undefined)
  await lab.addComputer('10.3.0.1', { room: 3 })
  await lab.call('POST /room/delete', { id: '3' })
  await reader.first({ type: 'computer-removed', clients: ['10.3.0.1'], rooms: [3] })
})

test('lists whose records have no events of their own emit one that says no more, also to limited callers', async () => {
  const { json } = await lab.call('POST /token/add', { name: 'One room', role: 'operate', rooms: [1] })
  const limited = await readEvents(lab.host.ports.rest, '?type=list-changed', { Authorization: json.token })
  const steps = [{ command: 'shell-run', params: { run: 'sync', echo: false } }]
  const writes: [list: string, route: string, payload: object][] = [
    ['centers', 'POST /center/add', { name: 'Short' }],
    ['rooms', 'POST /room/update', { room: 2, gateway: '10.1.1.254' }],
    ['procedures', 'POST /procedure/add', { center: '2', name: 'Tidy up', steps }],
    ['tasks', 'POST /task/add', { center: '2', name: 'Evening', steps: [{ procedure: 1 }] }],
    ['repositories', 'POST /repository/add', { name: 'second', ip: '10.1.1.3' }],
  ]
  const changes = async (list: string, route: string, payload: object) => {
    const before = limited.events.length
    const { headers } = await lab.call(route, payload)
    await limited.until(() => limited.events.slice(before).some(event => event.list === list))
    return headers
  }
  for (const write of writes) await changes(...write)
  const { 'x-undo-id': id } = await changes('centers', 'POST /center/delete', { id: '2' })
  await changes('centers', 'POST /undo', { id })
  // With several hosts each event says which one it comes from.
  const keys = new Set(limited.events.flatMap(({ host, ...event }) => Object.keys(event)))
  equal([...keys].sort(), 'clients id list rooms time type'.split(' '))
  limited.close()
})

test('images and schedules emit events when they are added, changed and removed', async () => {
  const agent = await lab.agent('127.0.0.8')
  const image = { disk: '1', partition: '1', code: '131', repository: '10.0.0.1', id: '0' }
  await lab.call('POST /image/create', { clients: [agent.addr], ...image, name: 'ubuntu', description: 'new' })
  await reader.first({ type: 'image-added', image: 1, name: 'ubuntu' })
  await agent.next('/image/create')
  const description = {
    software: 'Ubuntu\nvim',
    datasize: 1,
    clonator: 'p',
    compressor: 'l',
    filesystem: 'EXT4',
    code: '131',
  }
  agent.answer(200, { ...image, ...description, id: '1', name: 'ubuntu' })
  await reader.first({ type: 'image-changed', image: 1 })
  await lab.call('POST /image/delete', { image: '1' })
  await reader.first({ type: 'image-removed', image: 1, name: 'ubuntu' })
  await lab.call('POST /schedule/create', { task: '1', name: 'Evening', type: 'task', suspended: 1 })
  await reader.first({ type: 'schedule-added', schedule: 1, name: 'Evening' })
  await lab.call('POST /schedule/update', { id: '1', task: '1', name: 'Night' })
  await reader.first({ type: 'schedule-changed', schedule: 1, name: 'Night' })
  await lab.call('POST /schedule/delete', { id: '1' })
  await reader.first({ type: 'schedule-removed', schedule: 1 })
})

test('a module emits events when it is loaded and when it fails', async () => {
  const modules = await readEvents(site.lab.host.ports.rest, '?type=module')
  await site.save('one.ts', textCommand('one', 'GET /one'))
  await modules.first({ type: 'module-loaded', command: 'one' })
  await site.save('one.ts', "export default { route: 'GET /one' }\n")
  match(String((await modules.first({ type: 'module-failed', file: site.path('one.ts') })).reason), /missing/)
  modules.close()
})

test('every type that was sent is accepted by the filter', () => {
  const types = new Set(reader.events.map(({ type }) => type))
  ok(types.size > 15)
  equal(
    [...types].filter(type => !streamedTypes.some(one => one === type)),
    [],
  )
})

test.after(async () => {
  await Promise.all([lab.stop(), site.stop()])
})
test.run()

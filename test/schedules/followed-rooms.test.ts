// What is made for a room or a center is for the computers that it has when it runs, whatever its name is then.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

export const runs = { postgres: true }

const lab = await startLab({ subnet: '127.0.133', rooms: true })
const [one = '', two = '', three = '', four = '', five = '', six = ''] = [1, 2, 3, 4, 5, 6].map(
  number => `127.0.133.${number}`,
)
const script = { command: 'shell-run', params: { run: 'true', echo: true } }
const never = { years: 1, months: 1, weeks: 0, week_days: 0, days: 1, hours: 1, am_pm: 0, minutes: 0 }

const send = (route: string, payload: object, token?: string) =>
  lab.call(route, payload, token === undefined ? undefined : { Authorization: token })

/** Lets the newest schedule run at once. */
async function fire(token?: string) {
  const created = lab.event('job-created', { name: 'shell-run' })
  const { id, task } = (await lab.call('GET /schedules')).json.schedules.at(-1)
  const change = { id: `${id}`, task: `${task}`, name: 'shell-run', type: 'command' }
  is((await send('POST /schedule/update', change, token)).status, 200, lab.log.at(-1))
  const { job } = await created
  const { where, parts } = (await lab.call(`GET /jobs/${job}`)).json
  return { where, clients: parts.map(({ client }: { client: string }) => client) }
}

const wordsOfLast = async () => (await lab.call('GET /schedules')).json.schedules.at(-1).for

const test = suite('what follows its rooms')
test.after(() => lab.stop())

test('a command that is scheduled for a room runs on what the room has then, under its new name', async () => {
  await send('POST /schedule/command', { ...script, where: 'room_id:2', when: never })
  equal(await wordsOfLast(), { kind: 'rooms', names: ['Second'], computers: 2 })
  equal(await fire(), { where: 'room:"Second"', clients: [three, four] })
  await lab.addComputer(five, { room: 2 })
  await lab.status('POST /room/update', { room: 2, name: 'Upstairs' })
  equal(await fire(), { where: 'room:"Upstairs"', clients: [three, four, five] })
  equal(await wordsOfLast(), { kind: 'rooms', names: ['Upstairs'], computers: 3 })
})

test('rooms may be several, or a whole center', async () => {
  await send('POST /schedule/command', { ...script, where: 'room_id:1 or room_id:2', when: never })
  equal(await wordsOfLast(), { kind: 'rooms', names: ['Room', 'Upstairs'], computers: 5 })
  await send('POST /schedule/command', { ...script, where: 'center_id:1', when: never })
  equal(await wordsOfLast(), { kind: 'centers', names: ['Center'], computers: 5 })
  equal((await fire()).clients, [one, two, three, four, five])
})

test('a list of addresses says that it is one, a query and a group what they are', async () => {
  await send('POST /schedule/command', { ...script, clients: [one, three], when: never })
  equal(await wordsOfLast(), { kind: 'list', names: [], computers: 2 })
  await send('POST /schedule/command', { ...script, where: 'name:* room_id:1', when: never })
  equal(await wordsOfLast(), { kind: 'query', names: ['name:* room_id:1'] })
  await send('POST /group/add', { name: 'Seats', clients: [one] })
  await send('POST /schedule/command', { ...script, group: 1, when: never })
  equal(await wordsOfLast(), { kind: 'group', names: ['Seats'] })
})

test('tasks say whom they are for, too', async () => {
  const targets = [{}, { scope: { type: 'room', id: 2 } }, { clients: [one] }, { where: 'room_id:1' }]
  for (const [index, target] of targets.entries())
    is((await send('POST /task/add', { center: '1', name: `Task ${index}`, ...target })).status, 200, lab.log.at(-1))
  const { tasks } = (await lab.call('GET /tasks')).json
  equal(
    tasks.map((task: { for: object }) => task.for),
    [
      { kind: 'centers', names: ['Center'], computers: 5 },
      { kind: 'rooms', names: ['Upstairs'], computers: 3 },
      { kind: 'list', names: [], computers: 1 },
      { kind: 'rooms', names: ['Room'], computers: 2 },
    ],
  )
})

test('a schedule of a limited caller never reaches computers outside, also when the rooms get more', async () => {
  const { token } = await lab.addToken('assistant', 'operate', { rooms: [1] })
  await send('POST /schedule/command', { ...script, where: 'center_id:1', when: never }, token)
  await lab.addComputer(six, { room: 2 })
  equal((await fire(token)).clients, [one, two])
  const { schedules } = (await lab.call('GET /schedules', undefined, { Authorization: token })).json
  equal(schedules.at(-1).for, { kind: 'centers', names: ['Center'], computers: 2 })
  await send('POST /schedule/command', { ...script, where: 'room_id:2', when: never }, token)
  const other = (await lab.call('GET /schedules', undefined, { Authorization: token })).json.schedules.at(-1)
  equal(other.for, { kind: 'rooms', names: [], computers: 0 })
  equal((await fire(token)).clients, [])
})

test('a room that is gone has no computers', async () => {
  await send('POST /room/add', { name: 'Short', netmask: '255.255.255.0', center: 1 })
  const room = Number((await lab.call('GET /scopes')).json.scope[0].scope.at(-1).id)
  await send('POST /schedule/command', { ...script, where: `room_id:${room}`, when: never })
  await send('POST /room/delete', { id: String(room) })
  equal(await wordsOfLast(), { kind: 'rooms', names: [], computers: 0 })
  equal((await fire()).clients, [])
  const { json } = await lab.call(`GET /search?where=${encodeURIComponent('room_id:x')}`)
  equal(json.computers, [])
  match((await lab.call('GET /search/values?field=center_id')).text, /"1"/)
})

test.run()

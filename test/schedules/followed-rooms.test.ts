// What is made for a room or a center is for the computers that it has when it runs, whatever its name is then.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

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
  const where = '(room_id:1 or room_id:2) -computer_id:4 -computer_id:99'
  await send('POST /schedule/command', { ...script, where, when: never })
  equal(await wordsOfLast(), { kind: 'rooms', names: ['Room', `Upstairs − pc-${four}`], computers: 4 })
  await send('POST /schedule/command', { ...script, where: 'center_id:1', when: never })
  equal(await wordsOfLast(), { kind: 'centers', names: ['Center'], computers: 5 })
  equal((await fire()).clients, [one, two, three, four, five])
})

test('a list of addresses says that it is one, a query and a group what they are', async () => {
  await send('POST /schedule/command', { ...script, clients: [one, three], when: never })
  equal(await wordsOfLast(), { kind: 'list', names: [], computers: 2 })
  await send('POST /schedule/command', { ...script, where: 'name:* room_id:1', when: never })
  equal(await wordsOfLast(), { kind: 'query', names: ['name:* room:"Room"'] })
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

test('what a schedule names and is gone is listed with it, as far as it fires again, and by the doctor', async () => {
  const daily = { years: 0xffff_ffff, months: 0xfff, weeks: 0, week_days: 0, days: 0x7fff_ffff, hours: 1, am_pm: 0 }
  const when = { ...daily, minutes: 0 }
  const studio = await lab.add('POST /room/add', { name: 'Studio', netmask: '255.255.255.0', center: 1 })
  const image = { disk: '1', partition: '1', name: 'win11', repository: '10.9.9.9', type: 'UNICAST', profile: '0' }
  const steps = [{ command: 'image-restore', params: { ...image, id: '0' } }]
  const procedure = await lab.add('POST /procedure/add', { center: '1', name: 'Renew', steps })
  const task = { center: '1', name: 'Nightly', steps: [{ procedure }], where: `room_id:${studio}` }
  const id = await lab.add('POST /task/add', task)
  const scheduled = { task: `${id}`, name: 'Renewed', type: 'task' }
  const schedule = await lab.add('POST /schedule/create', { ...scheduled, when })
  const past = await lab.add('POST /schedule/create', { ...scheduled, when: { ...when, years: 1 } })
  const list = await lab.add('POST /schedule/command', { ...script, clients: ['127.0.133.99'], when })
  await lab.status('POST /room/delete', { id: `${studio}` })
  const { schedules } = (await lab.call('GET /schedules')).json
  const missingOf = (each: number) => schedules.find((row: { id: number }) => row.id === each).missing
  equal(missingOf(schedule), ['room Studio', 'image win11'])
  equal([missingOf(past), missingOf(list)], [undefined, ['the records of its computers']])
  const { findings } = (await lab.call('GET /doctor')).json
  const found = findings.filter(({ check }: { check: string }) => check === 'schedules')
  const gone = 'room Studio, image win11 gone'
  equal([found.length, found[0].text], [2, `Renewed (schedule ${schedule}) will fail: ${gone}`])
  await lab.status('POST /schedule/update', { ...scheduled, id: `${schedule}`, task: '999', when })
  equal((await lab.call('GET /schedules')).json.schedules.find((row: { id: number }) => row.id === schedule).missing, [
    'task 999',
  ])
})

test.run()

// Schedules of callers with less than all rights: what they may run, and what happens when these rights are gone.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { inside, type LimitedCaller, outside, shellStep, startLab } from '../harness/lab.ts'

process.env.TZ = 'Europe/Madrid'
const clock = createManualClock('2026-03-02T08:00:30')
const lab = await startLab({ scope: true, clock })
const { add, addToken } = lab
const [here = ''] = inside
const [there = ''] = outside
const everyDay = { years: 0xffff_ffff, months: 0xfff, weeks: 0, week_days: 0, days: 0x7fff_ffff, am_pm: 0 }
const daily = (hour: number, minutes = 0) => ({ ...everyDay, hours: 1 << hour, minutes })

await add('POST /procedure/add', { center: '1', name: 'Script', steps: [shellStep('id')] })
const addTask = (name: string, more: object) =>
  add('POST /task/add', { center: '1', name, steps: [{ procedure: 1 }], ...more })
const own = String(await addTask('Own', { clients: [here] }))
const foreign = String(await addTask('Foreign', { clients: [here, there] }))

type Row = { id: number; name: string; suspended: 0 | 1 }
const rows = async (call = lab.call): Promise<Row[]> => (await call('POST /schedule/get')).json.schedule
const rowOf = async (name: string) => (await rows()).find(row => row.name === name)
const create = (caller: LimitedCaller, name: string, more: object = {}) =>
  caller.call('POST /schedule/create', { task: own, name, type: 'task', when: daily(9), ...more })
const idOf = async (caller: LimitedCaller, name: string, more: object = {}) =>
  String((await create(caller, name, more)).headers['x-id'])

const test = suite('schedules with limited rights')
test.after(() => lab.stop())

test('a caller makes schedules for computers inside only, and sees and changes its own and theirs', async () => {
  const assistant = await addToken('assistant', 'operate')
  const id = await idOf(assistant, 'mine')
  for (const target of [{ task: foreign }, { task: '999' }, { type: 'procedure', task: '1' }, { type: 'command' }]) {
    is((await create(assistant, 'refused', target)).status, 403, JSON.stringify(target))
  }
  const command = (clients: string[]) => ({ clients, command: 'poweroff', params: {}, when: daily(1) })
  is(await assistant.status('POST /schedule/command', command([here])), 200)
  is(await assistant.status('POST /schedule/command', command([here, there])), 403)

  const admins = await add('POST /schedule/create', { task: own, name: 'admin', type: 'task', when: daily(2) })
  const hidden = await add('POST /schedule/create', { task: foreign, name: 'hidden', type: 'task', when: daily(3) })
  const names = (await rows(assistant.call)).map(({ name }) => name)
  equal(names, ['mine', 'poweroff', 'admin'])
  equal((await assistant.call('POST /schedule/get', { id: String(hidden) })).json, { schedule: [] })
  is(await assistant.status(`GET /schedule/next?id=${admins}`), 200)
  for (const missing of [hidden, 999]) {
    is(await assistant.status(`GET /schedule/next?id=${missing}`), 403)
    is(await assistant.status('POST /schedule/delete', { id: String(missing) }), 403)
    is(await assistant.status('POST /schedule/update', { id: String(missing), task: own, name: 'x' }), 403)
  }
  is(await assistant.status('POST /schedule/update', { id, task: foreign, name: 'mine', when: daily(9) }), 403)
  is(await assistant.status('POST /schedule/update', { id, task: own, name: 'changed', when: daily(9) }), 200)
  is(await assistant.status('POST /schedule/delete', { id }), 200)
  is(await assistant.status('POST /schedule/delete', { id: String(admins) }), 200)
  equal(
    (await rows()).map(({ name }) => name),
    ['poweroff', 'hidden'],
  )
})

test('schedules of others for what a query finds are within the limits when it names nothing but rooms inside', async () => {
  const { call, status } = await addToken('neighbour', 'operate')
  const group = Number(await add('POST /group/add', { name: 'Some', where: 'room_id:1' }))
  const queries = { inside: 'room_id:1', both: 'room_id:1 or room_id:2', outside: 'room_id:2', other: 'os:x room_id:1' }
  const found = Object.entries(queries).map(([name, where]): [string, object] => [name, { where }])
  const ids = new Map<string, string>()
  for (const [name, targets] of [...found, ['grouped', { group }] as const]) {
    const task = String(await addTask(name, targets))
    ids.set(name, String(await add('POST /schedule/create', { task, name, type: 'task', when: daily(5) })))
  }
  const seen = (await call('POST /schedule/get')).json.schedule.map(({ name }: Row) => name)
  equal(
    seen.filter((name: string) => ids.has(name)),
    ['inside'],
  )
  for (const name of ['both', 'outside', 'other', 'grouped']) {
    const id = ids.get(name)
    is(await status('POST /schedule/delete', { id }), 403)
    is(await status('POST /schedule/update', { id, task: own, type: 'task', name, when: daily(6) }), 403)
    is(await status(`GET /schedule/next?id=${id}`), 403)
  }
})

test('a stored command of somebody else is not scheduled or read, although it would find computers inside', async () => {
  const params = { run: 'secret', echo: true }
  const command = { where: 'room_id:1 or room_id:2', command: 'shell-run', params, name: 'found', when: daily(4) }
  is((await lab.call('POST /schedule/command', command)).status, 200)
  const found = (await lab.call('GET /schedules')).json.schedules.find(({ name }: Row) => name === 'found')
  const borrower = await addToken('borrower', 'operate')
  const borrow = { type: 'command', task: String(found.task) }
  is((await create(borrower, 'borrowed', borrow)).status, 403)
  const id = await idOf(borrower, 'lawful')
  is(await borrower.status('POST /schedule/update', { id, name: 'lawful', when: daily(4), ...borrow }), 403)
  const mine = await borrower.call('POST /schedule/command', { ...command, name: 'mine too' })
  is(mine.status, 200)
  const { schedules } = (await borrower.call('GET /schedules')).json
  const own = schedules.find(({ name }: Row) => name === 'mine too')
  const again = { id: String(own.id), name: 'mine too', when: daily(6), type: 'command', task: String(own.task) }
  is(await borrower.status('POST /schedule/update', again), 200)
})

test('its job is by its maker', async () => {
  const caller = await addToken('maker', 'operate')
  const created = lab.event('job-created', { name: 'at once' })
  is((await create(caller, 'at once', { when: undefined })).status, 200)
  const { job } = await created
  const { by, origin } = (await lab.call(`GET /jobs/${job}`)).json
  equal([origin, by], ['schedule', 'token maker'])
})

/** Takes rights away, lets a schedule fire, and resolves to its row afterwards: no job has run. */
async function fireWithout(name: string, loseRights: (caller: LimitedCaller) => Promise<unknown>) {
  const caller = await addToken(name, 'operate')
  is((await create(caller, name)).status, 200)
  is((await loseRights(caller)) ?? 200, 200)
  const changed = lab.event('schedule-changed', { name })
  const next = new Date(clock.now())
  next.setDate(next.getDate() + 1)
  next.setHours(9, 0, 0, 0)
  await clock.advanceTo(next)
  await changed
  await lab.logged(new RegExp(`schedules: \\d+ ${name}: suspended, as the rights of token:\\d+ are not sufficient: `))
  const jobs: { name: string }[] = (await lab.call('GET /jobs?limit=1000')).json.jobs
  equal(
    jobs.filter(job => job.name === name),
    [],
  )
  is((await rowOf(name))?.suspended, 1)
}

test('a schedule whose maker is deleted, disabled or limited to other rooms is suspended with one line', async () => {
  const update = (change: object) => async (caller: LimitedCaller) =>
    (await lab.call('POST /token/update', { id: String(caller.id), ...change })).status
  await fireWithout('deleted', async ({ id }) => (await lab.call('POST /token/delete', { id: String(id) })).status)
  await fireWithout('disabled', update({ disabled: true }))
  await fireWithout('moved', update({ rooms: [2] }))
  await fireWithout('reader', update({ role: 'read' }))
  await fireWithout('grown', async () => {
    const { status } = await lab.call('POST /task/update', {
      task: own,
      center: '1',
      name: 'Own',
      clients: [here, there],
    })
    return status
  })
  const lines = lab.log.filter(line => line.includes(' deleted: suspended'))
  is(lines.length, 1)
  await lab.call('POST /task/update', { task: own, center: '1', name: 'Own', clients: [here] })
})

test('who changes a suspended schedule becomes its maker, and it runs again', async () => {
  const id = String((await rowOf('deleted'))?.id)
  const created = lab.event('job-created', { name: 'deleted' })
  is((await lab.call('POST /schedule/update', { id, task: own, name: 'deleted', suspended: 0 })).status, 200)
  const { job } = await created
  is((await lab.call(`GET /jobs/${job}`)).json.by, 'admin')
})

test.run()

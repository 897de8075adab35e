// GET /schedules says what each schedule runs, and schedule/update keeps it when it is sent.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
await lab.addComputer('127.0.12.31')

const when = {
  years: 4294967295,
  months: 4095,
  days: 1,
  hours: 1024,
  am_pm: 1,
  minutes: 30,
  week_days: 0,
  weeks: 0,
}
const rows = async () => (await lab.call('GET /schedules')).json.schedules

const test = suite('schedule targets')
test.after(() => lab.stop())

test('the list has the type, the times and the command of each schedule', async () => {
  const scheduled = { clients: ['127.0.12.31'], command: 'shell-run', params: { run: 'x', echo: true } }
  await lab.call('POST /schedule/command', { ...scheduled, when })
  await lab.call('POST /schedule/create', { task: '4', name: 'Tidy up', type: 'procedure', when, suspended: 1 })
  equal(await rows(), [
    {
      id: 1,
      type: 'command',
      task: 1,
      name: 'shell-run',
      when,
      suspended: 0,
      by: 'admin',
      for: { kind: 'list', names: ['Room'], computers: 1 },
      scheduled,
    },
    { id: 2, type: 'procedure', task: 4, name: 'Tidy up', when, suspended: 1, by: 'admin', missing: ['procedure 4'] },
  ])
})

test('with ?next= it says when each fires next, as GET /schedule/next does; a suspended one never', async () => {
  const { schedules } = (await lab.call('GET /schedules?next=2')).json
  const { next } = (await lab.call('GET /schedule/next?id=1&count=2')).json
  is(next.length, 2)
  equal(
    schedules.map((each: { next: string[] }) => each.next),
    [next, []],
  )
  is((await lab.call('GET /schedules?next=10')).status, 400)
})

test('an update with a type keeps the command; without it the schedule belongs to a task', async () => {
  const change = { id: '1', task: '1', name: 'Morning', when, suspended: 1 }
  is((await lab.call('POST /schedule/update', { ...change, type: 'command' })).status, 200)
  const [{ type, name, suspended, scheduled }] = await rows()
  equal([type, name, suspended, scheduled.command], ['command', 'Morning', 1, 'shell-run'])
  is((await lab.call('POST /schedule/update', { ...change, type: 'thing' })).status, 400)
  is((await lab.call('POST /schedule/update', change)).status, 200)
  equal((await rows())[0].type, 'task')
})

test('a schedule of whose times none is to come is accepted with a warning, unless it is suspended', async () => {
  const scheduled = { clients: ['127.0.12.31'], command: 'shell-run', params: { run: 'x', echo: true } }
  const past = { ...when, years: 2 }
  const warning = 'when: expected a time that is to come, got none: it never runs'
  const warningOf = async (route: string, payload: object) => (await lab.call(route, payload)).headers['x-warning']
  is(await warningOf('POST /schedule/command', { ...scheduled, when: past }), warning)
  is(await warningOf('POST /schedule/command', { ...scheduled, when }), undefined)
  const { id, task } = (await rows()).at(-1)
  const change = { id: `${id}`, task: `${task}`, name: 'Morning', type: 'command', when: past }
  is(await warningOf('POST /schedule/update', { ...change, suspended: 0 }), warning)
  is(await warningOf('POST /schedule/update', { ...change, suspended: 1 }), undefined)
})

test.run()

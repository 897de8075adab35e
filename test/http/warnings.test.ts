// The header with a warning: an accepted request in which something will not work as the caller expects.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const { fleet, remove } = openShellOf(lab)
await lab.addComputer('127.0.27.1', { name: 'lab-c01' })

const test = suite('X-Warning')
test.after(async () => {
  remove()
  await lab.stop()
})

const warningOf = async (route: string, payload: object) => {
  const { status, headers, text } = await lab.call(route, payload)
  equal([status, text], [200, ''], lab.log.at(-1))
  return headers['x-warning']
}

const later = { years: 1 << 30, months: 1, weeks: 0, week_days: 0, days: 1, hours: 1, am_pm: 0, minutes: 0 }

test('a schedule may name what does not exist yet: it is stored, and the caller is warned', async () => {
  const create = (type: string) => warningOf('POST /schedule/create', { task: '1', name: 'Later', type, when: later })
  for (const type of ['task', 'procedure', 'command']) is(await create(type), `task: there is no ${type} 1`)
  is((await lab.call('POST /schedule/get')).json.schedule.length, 3)
  await lab.call('POST /task/add', { center: '1', name: 'One' })
  is(await create('task'), undefined)
  const update = (task: string) => warningOf('POST /schedule/update', { id: '1', task, name: 'Later', when: later })
  is(await update('99'), 'task: there is no task 99')
  is(await update('1'), undefined)
})

test('a type of wake-up that is not known is sent as broadcast, and the caller is warned', async () => {
  const wake = (type: string) => warningOf('POST /wol', { clients: ['127.0.27.1'], type })
  is(await wake('magic'), 'type: expected broadcast or unicast, got magic; sent as broadcast')
  for (const type of ['broadcast', 'unicast', '1', '2']) is(await wake(type), undefined)
})

test('the warning is in the log line of the request', async () => {
  await warningOf('POST /schedule/create', { task: '98', name: 'Later', type: 'task', when: later })
  is(lab.log.filter(line => /POST \/schedule\/create .*; warning: task: there is no task 98\n$/.test(line)).length, 1)
})

test('fleet prints it', async () => {
  const { code, error } = await fleet('send', 'wol', '--client', 'lab-c01', '--type', 'magic')
  equal([code, error], [0, 'fleet: warning: type: expected broadcast or unicast, got magic; sent as broadcast\n'])
})

test.run()

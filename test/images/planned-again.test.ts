// Planned restores that are changed to the time of another one.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

const lab = await startLab({ repository: true })
const [one, two] = [await lab.computer(), await lab.computer()]
await lab.create(one, { description: 'A system' }, { content: 'one' })
const plan = async (at: string, clients: string[]) =>
  (await lab.call('POST /image/plan', { image: 'linux', clients, disk: '1', partition: '1', at })).json
const scheduleOf = async (id: number) =>
  (await lab.call('GET /schedules')).json.schedules.find((each: { id: number }) => each.id === id)
const namesOf = async (route: string, key: string) =>
  (await lab.call(route)).json[key].map(({ name }: { name: string }) => name)

const test = suite('changed plans')
test.after(() => lab.stop())

test('an edit that plans the same twice is warned of, and names of task and procedure follow', async () => {
  const first = await plan('22:00', [one.addr, two.addr])
  const second = await plan('23:00', [two.addr])
  const { name, when } = await scheduleOf(first.schedule)
  const whole = { id: String(second.schedule), task: String(second.task), name: 'Again', type: 'task' }
  const { headers } = await lab.call('POST /schedule/update', { ...whole, name, when })
  const night = `planned already for that night: linux .* 22:00: schedule ${first.schedule}`
  match(String(headers['x-warning']), new RegExp(`${night}, for 1 computer of these; what is restored last stays`))
  for (const [route, key] of [
    ['GET /tasks', 'tasks'],
    ['GET /procedures', 'procedures'],
  ] as const)
    equal(await namesOf(route, key), [name, `${name} (2)`])
  const renamed = await lab.call('POST /schedule/update', { ...whole, when, suspended: 1 })
  is(renamed.headers['x-warning'], undefined)
  equal(await namesOf('GET /tasks', 'tasks'), [name, 'Again'])
  equal(await namesOf('GET /procedures', 'procedures'), [name, 'Again'])
})

test.run()

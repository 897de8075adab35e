// Queued parts of callers whose rights have become less: they are cancelled at once, and never sent.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { inside, type LimitedCaller, replyToNext, shellStep, startLab } from '../harness/lab.ts'

const clock = createManualClock()
const lab = await startLab({ scope: true, clock })
const { add, addToken } = lab
const [here = '', there = ''] = inside

const payload = (run: string, addr = here) => ({ clients: [addr], run, echo: false })
const queue = async (caller: Pick<LimitedCaller, 'call'>, run: string, addr = here): Promise<number> => {
  const { status, headers } = await caller.call('POST /shell/run?queue=1&expires=100000', payload(run, addr))
  is(status, 200, lab.log.at(-1))
  return Number(headers['x-job-id'])
}
const partOf = async (job: number) => {
  const { state, reason = '' } = (await lab.call(`GET /jobs/${job}`)).json.parts[0]
  return [state, reason]
}
const update = (caller: LimitedCaller, change: object) =>
  lab.call('POST /token/update', { id: String(caller.id), ...change })
const seconds = () => Math.floor(clock.now() / 1000)
const lost = ['cancelled', 'no longer allowed: the rights of who asked for it have changed']

const test = suite('queued parts of callers with less rights')
test.after(() => lab.stop())

/** Takes rights away while a script of the caller waits, which is cancelled with its events. */
async function cancelBy(name: string, loseRights: (caller: LimitedCaller) => Promise<unknown>): Promise<void> {
  const caller = await addToken(name, 'operate')
  const job = await queue(caller, name)
  const part = lab.event('job-part', { job })
  const finished = lab.event('job-finished', { job })
  await loseRights(caller)
  equal([(await part).state, (await finished).counts?.cancelled], ['cancelled', 1])
  equal(await partOf(job), lost)
}

test('deleting, disabling and limiting an account cancels what it has queued, not the work of others', async () => {
  const others = [await queue(lab, 'of the admin'), await queue(await addToken('other', 'operate'), 'of another')]
  await cancelBy('deleted', ({ id }) => lab.call('POST /token/delete', { id: String(id) }))
  await cancelBy('disabled', caller => update(caller, { disabled: true }))
  await cancelBy('lowered', caller => update(caller, { role: 'read' }))
  await cancelBy('moved', caller => update(caller, { rooms: [2] }))
  for (const job of others) equal(await partOf(job), ['queued', ''])
  for (const job of others) await lab.call('POST /job/cancel', { id: String(job) })
})

test('a deleted user, steps of a task and the job of a schedule are no exception', async () => {
  const password = 'a password of hers'
  const user = String(await add('POST /user/add', { name: 'anna', password, role: 'operate' }))
  const login = await lab.call('POST /login', { name: 'anna', password }, { Authorization: '' })
  const Cookie = String(login.headers['set-cookie']).replace(/;.*/, '')
  const asAnna = (route: string, body?: unknown) => lab.call(route, body, { Authorization: '', Cookie })
  await add('POST /procedure/add', { center: '1', name: 'Script', steps: [shellStep('id')] })
  const steps = [{ procedure: 1 }]
  const task = String(await add('POST /task/add', { center: '1', name: 'Own', steps, clients: [there] }))
  const run = Number((await asAnna('POST /task/run', { task })).headers['x-job-id'])
  const created = lab.event('job-created', { origin: 'schedule' })
  await asAnna('POST /schedule/create', { task, name: 'now', type: 'task' })
  const { job } = await created
  const finished = [run, job].map(each => lab.event('job-finished', { job: each }))
  await lab.call('POST /user/delete', { id: user })
  await Promise.all(finished)
  for (const each of [run, job]) equal(await partOf(each), lost)
})

test('what is queued is not sent when the token has expired or the computer has left its rooms', async () => {
  const expiring = await addToken('expiring', 'operate', { rooms: [1], expires: seconds() + 60 })
  const limited = await addToken('limited', 'operate')
  const unlimited = await addToken('unlimited', 'operate', {})
  const jobs = [await queue(expiring, 'expired'), await queue(limited, 'moved'), await queue(unlimited, 'allowed')]
  await clock.advance(61_000)
  is((await lab.call('POST /client/move', { clients: [here], room: 2 })).status, 200, lab.log.at(-1))
  const finished = lab.event('job-finished', { job: jobs[2] })
  const agent = await lab.agent(here)
  await replyToNext(agent, '/run/schedule')
  equal((await replyToNext(agent, '/shell/run')).body, { run: 'allowed', echo: false })
  await finished
  const parts = await Promise.all(jobs.map(partOf))
  equal(
    parts.map(([state]) => state),
    ['failure', 'failure', 'success'],
  )
  is(parts[0]?.[1], 'no longer allowed: who asked for it has no access any more')
  match(parts[1]?.[1], /^no longer allowed: 1 of 1 clients are outside the rooms of the token$/)
})

test.run()

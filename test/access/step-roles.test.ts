// Tasks, procedures, schedules and retries need the role of each command that they run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { inside, shellStep, startLab } from '../harness/lab.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleet-host-site-'))
const source = (more: string) => `export default {
  summary: 'x', example: { clients: ['10.1.1.20'] }, payload: { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } },
  ${more}
}\n`
writeFileSync(
  join(folder, 'wipe.ts'),
  source("route: 'POST /wipe', access: 'admin', forward: { to: 'POST /wipe', body: 'none' }"),
)
// Adds a computer that its caller did not name.
writeFileSync(
  join(folder, 'widen.ts'),
  source(
    "route: 'POST /widen', accept: ({ payload }) => ({ clients: [...payload.clients, '127.0.32.1'] }), forward: { to: 'POST /widen', body: 'none' }",
  ),
)
const lab = await startLab({ scope: true, options: { commands: [folder] } })
const { add, addToken } = lab
const [here = ''] = inside
const wipe = { command: 'wipe', params: {} }

const harmless = String(await add('POST /procedure/add', { center: '1', name: 'Harmless', steps: [shellStep('id')] }))
const dangerous = String(await add('POST /procedure/add', { center: '1', name: 'Dangerous', steps: [wipe] }))
const addTask = async (name: string, procedures: string[]) => {
  const steps = procedures.map(id => ({ procedure: Number(id) }))
  return String(await add('POST /task/add', { center: '1', name, steps, clients: [here] }))
}
const harmlessTask = await addTask('Harmless', [harmless])
const dangerousTask = await addTask('Dangerous', [harmless, dangerous])
const outer = String(
  await add('POST /task/add', {
    center: '1',
    name: 'Outer',
    steps: [{ task: Number(dangerousTask) }],
    clients: [here],
  }),
)
const when = {
  years: 1 << 30,
  months: 1,
  weeks: 0,
  week_days: 0,
  days: 1,
  hours: 1,
  am_pm: 0,
  minutes: 0,
}

async function cancelledJob(route: string): Promise<string> {
  const id = String((await lab.call(`${route}?queue=1`, { clients: [here] })).headers['x-job-id'])
  const cancelled = lab.event('job-finished', { job: Number(id) })
  await lab.call('POST /job/cancel', { id })
  await cancelled
  return id
}

const test = suite('roles of steps')
test.after(async () => {
  await lab.stop()
  rmSync(folder, { recursive: true })
})

for (const [kind, limits] of [
  ['all rooms', {}],
  ['one room', { rooms: [1] }],
] as const) {
  test(`a caller for ${kind} runs what it could send itself, and nothing else`, async () => {
    const caller = await addToken(`operator of ${kind}`, 'operate', limits)
    const retried = { allowed: await cancelledJob('POST /poweroff'), refused: await cancelledJob('POST /wipe') }
    const schedule = (task: string) => ({ task, name: 'x', type: 'task', when })
    const requests: [string, object, number][] = [
      ['POST /task/run', { task: harmlessTask }, 200],
      ['POST /procedure/run', { clients: [here], procedure: harmless }, 200],
      ['POST /schedule/create', schedule(harmlessTask), 200],
      ['POST /schedule/command', { clients: [here], ...shellStep('id'), when }, 200],
      ['POST /job/retry', { id: retried.allowed }, 200],
      ['POST /wipe', { clients: [here] }, 403],
      ['POST /task/run', { task: dangerousTask }, 403],
      ['POST /task/run', { task: outer }, 403],
      ['POST /procedure/run', { clients: [here], procedure: dangerous }, 403],
      ['POST /schedule/create', schedule(outer), 403],
      ['POST /schedule/command', { clients: [here], ...wipe, when }, 403],
      ['POST /job/retry', { id: retried.refused }, 403],
    ]
    for (const [route, payload, expected] of requests) {
      const { status, headers } = await caller.call(route, payload)
      is(status, expected, `${route} ${JSON.stringify(payload)}: ${lab.log.at(-1)}`)
      if (expected === 403 && route !== 'POST /wipe') match(String(headers['x-reason']), 'step wipe: expected the role')
    }
  })
}

test('an admin runs all of them', async () => {
  is((await lab.call('POST /task/run', { task: outer })).status, 200)
  is((await lab.call('POST /procedure/run', { clients: [here], procedure: dangerous })).status, 200)
})

test('a command of a site cannot send a limited caller request to computers outside', async () => {
  const before = (await lab.call('GET /jobs?limit=1')).json.jobs[0].id
  const { call } = await addToken('widener', 'operate')
  const { status, headers } = await call('POST /widen', { clients: [here] })
  equal([status, headers['x-job-id']], [403, undefined])
  is((await lab.call('GET /jobs?limit=1')).json.jobs[0].id, before)
  is((await lab.call('POST /widen', { clients: [here] })).status, 200)
})

test.run()

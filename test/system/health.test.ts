// The health pages /healthz and /readyz.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import readyz from '../../commands/readyz.ts'
import { createHealth } from '../../host/system/health.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const without = { Authorization: '' }
const text = (type: string, body: string, status?: number) => ({ type, body, status })

const health = suite('health')

health('healthz and readyz need no token', async () => {
  const alive = await lab.call('GET /healthz', undefined, without)
  equal([alive.status, alive.json], [200, { alive: true }])
  const readiness = await lab.call('GET /readyz', undefined, without)
  equal([readiness.status, readiness.json], [200, { ready: true }])
})

health('only their exact paths and GET need no token', async () => {
  is((await lab.call('GET /healthz/more', undefined, without)).status, 401)
  is((await lab.call('POST /healthz', undefined, without)).status, 401)
})

health('readyz is 503 with the reasons as JSON when the daemon cannot work', async () => {
  const reasons = ['store: /data is full']
  const context = { services: { health: { problems: async () => reasons, notes: () => [] }, text } }
  const answer = await Reflect.apply(readyz.answer, undefined, [context])
  equal(answer, text('application/json', JSON.stringify({ ready: false, reasons }), 503))
})

health('the reasons are those of the checks that reject or return one, each after its name', async () => {
  const checks = createHealth()
  checks.add('store', () => Promise.reject(new Error('/data is full')))
  checks.add('agents', async () => 'the port does not listen')
  checks.add('modules', async () => 'no command is in service')
  checks.add('fine', async () => undefined)
  equal(await checks.problems(), [
    'store: /data is full',
    'agents: the port does not listen',
    'modules: no command is in service',
  ])
})

health('a result is used again for some time, also by callers that come while the checks run', async () => {
  const checks = createHealth(60_000)
  let runs = 0
  const countRun = async () => {
    runs += 1
    return `run ${runs}`
  }
  checks.add('store', countRun)
  equal(await Promise.all([checks.problems(), checks.problems()]), [['store: run 1'], ['store: run 1']])
  equal(await checks.problems(), ['store: run 1'])
  const uncached = createHealth(0)
  uncached.add('store', countRun)
  equal([await uncached.problems(), await uncached.problems()], [['store: run 2'], ['store: run 3']])
})

health('what the daemon knows itself is read at each call, after the results of the checks', async () => {
  const checks = createHealth(60_000)
  let state: string | undefined = 'no new work is accepted'
  checks.addState('drain', () => state)
  checks.add('store', async () => 'full')
  equal(await checks.problems(), ['store: full', 'drain: no new work is accepted'])
  state = undefined
  equal(await checks.problems(), ['store: full'])
})

health.after(() => lab.stop())
health('notes of what an administrator should know are no reason to be unready', async () => {
  const checks = createHealth(0)
  checks.addNotes(() => ['modules: 2 differ from those of host b'])
  equal([await checks.problems(), checks.notes()], [[], ['modules: 2 differ from those of host b']])
  const answer = await Reflect.apply(readyz.answer, undefined, [{ services: { health: checks, text } }])
  equal(answer, { ready: true, notes: ['modules: 2 differ from those of host b'] })
})

health.run()

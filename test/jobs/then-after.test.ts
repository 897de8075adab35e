// The last step of a plan: only where the steps before have succeeded, or in any case.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { replyToNext, startLab } from '../harness/lab.ts'

const lab = await startLab({ repository: true })
const jobs = followJobs(lab)
const [good, bad] = [await lab.computer(), await lab.computer()]
await lab.create(good, { description: 'A system' }, { content: 'one' })
const restored = { disk: '1', partition: '1', image_id: '1' }
const then = 'session'

const test = suite('the last step of a plan')
test.after(() => lab.stop())

/** Restores on both computers, which fails on one. Resolves to the states of the last step by computer. */
async function run(options: object, lastOfBad: boolean): Promise<unknown> {
  const plan = { image: 'linux', rooms: [1], then, ...options }
  const job = jobIdOf(await lab.call('POST /image/plan', plan))
  for (const { agent } of [good, bad]) await replyToNext(agent, '/run/schedule')
  await Promise.all([good.agent.next('/image/restore'), bad.agent.next('/image/restore')])
  bad.agent.answer(500)
  good.agent.reply({ status: 200, body: restored })
  for (const { agent } of lastOfBad ? [good, bad] : [good]) await replyToNext(agent, '/session')
  await jobs.finished(job)
  const { parts } = (await lab.call(`GET /jobs/${job}`)).json
  return Object.fromEntries(
    parts
      .filter(({ step }: { step: number }) => step === 1)
      .map(({ client, state, reason = '' }: Record<string, string>) => [client, `${state} ${reason}`.trim()]),
  )
}

test('a computer whose restore has failed stays as it is, so that it is seen', async () => {
  const expected = { [good.addr]: 'success', [bad.addr]: 'skipped a step before has not succeeded' }
  equal(await run({}, false), expected)
  // A condition of the plan, not of its batch.
  equal(await run({ batch: 2 }, false), expected)
})

test('in any case, when the plan says so', async () => {
  equal(await run({ then_after: 'any' }, true), { [good.addr]: 'success', [bad.addr]: 'success' })
})

test('a task that does not say it has its last step in any case, as ever', async () => {
  const params = {
    disk: '1',
    partition: '1',
    name: 'linux',
    repository: '10.9.9.9',
    type: 'UNICAST',
    profile: '0',
    id: '1',
  }
  const steps = [{ command: 'image-restore', params }]
  const { headers } = await lab.call('POST /procedure/add', { center: '1', name: 'Restore', steps })
  const options = { then }
  const task = { center: '1', name: 'Restore', steps: [{ procedure: Number(headers['x-id']) }], options }
  const added = await lab.call('POST /task/add', task)
  const job = jobIdOf(await lab.call('POST /task/run', { task: String(added.headers['x-id']) }))
  for (const { agent } of [good, bad]) {
    await replyToNext(agent, '/run/schedule')
    await agent.next('/image/restore')
    agent.answer(500)
    await replyToNext(agent, '/session')
  }
  await jobs.finished(job)
})

test.run()

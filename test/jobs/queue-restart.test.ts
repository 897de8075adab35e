// The queue when the daemon restarts while parts wait or run.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { followJobs } from '../harness/job-results.ts'
import { replyToNext, startLab } from '../harness/lab.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { postgres: true }

const test = suite('queue after a restart')

test('after a restart queued parts are sent; a part that was sent fails and is never sent again', async () => {
  const options = { store: { path: './data' } }
  const before = await startLab({ subnet: '127.0.15', options })
  const addr = await before.newComputer()
  const first = await before.queueShell(addr, 'one')
  const second = await before.queueShell(addr, 'two')
  const agent = await before.agent(addr)
  await replyToNext(agent, '/run/schedule')
  await agent.next('/shell/run')
  // As after a crash: the daemon ends while the command runs and never gets the reply.
  const { folder } = before
  await before.stop('keep')
  const after = await startTestHost({ options, folder })
  const jobs = followJobs(after)
  try {
    equal(await jobs.states(second), ['queued'])
    const nextAgent = await after.agent(addr)
    await replyToNext(nextAgent, '/run/schedule')
    equal((await replyToNext(nextAgent, '/shell/run')).body, { run: 'two', echo: true })
    await jobs.finished(second)
    equal(await jobs.states(second), ['success'])
    // Stored before: the recorder writes updates in their order.
    equal(await jobs.states(first), ['failure'])
  } finally {
    await after.stop()
  }
})

test.run()

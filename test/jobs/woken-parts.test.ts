// What a queued part waits for, on a computer that was woken.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { jobIdOf } from '../harness/job-results.ts'
import { startLab } from '../harness/lab.ts'
import { pollUntil } from '../harness/poll.ts'

export const runs = { hosts: true }

const testHost = await startLab({ subnet: '127.0.14' })
const { jobs, newComputer, queueShell } = testHost

const test = suite('parts of woken computers')
test.after(() => testHost.stop())

test('a wake-up is said until the computer connects', async () => {
  const addr = await newComputer()
  const first = await queueShell(addr, 'one')
  await testHost.call('POST /job/cancel', { id: String(first) })
  await jobs.finished(first)
  const woken = testHost.event('wake-sent', { addr })
  const retry = jobIdOf(await testHost.call('POST /job/retry', { id: String(first), wake: true }))
  await woken
  const waitingOf = async (job: number) => (await testHost.call(`GET /jobs/${job}`)).json.parts[0].waiting
  const { for: reason, woken: time } = await waitingOf(retry)
  equal([reason, Number.isNaN(Date.parse(time))], ['off', false])
  // What is queued when it has come and gone again is not what it was woken for.
  const agent = await testHost.agent(addr, { auto: { '*': { status: 200, body: { out: '' } } } })
  await jobs.finished(retry)
  const gone = testHost.event('client-gone', { addr })
  agent.destroy()
  await gone
  const second = await queueShell(addr, 'two')
  await pollUntil(async () => (await waitingOf(second)).woken === undefined)
  equal(Object.keys(await waitingOf(second)).sort(), ['for', 'until'])
})

test.run()

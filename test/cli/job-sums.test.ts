// The sums of `fleet jobs` and `fleet job`: of computers, whatever the number of steps.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost()
const { fleet, remove } = openShellOf(testHost)
const off = '127.0.21.9'
await testHost.addComputer(off)

const test = suite('sums of jobs')
test.after(async () => {
  remove()
  await testHost.stop()
})

test('of a job with several steps the computers are counted', async () => {
  const step = { command: 'shell-run', params: { run: 'x', echo: true } }
  const procedure = { center: '1', name: 'Three', steps: [step, step, step] }
  const { headers } = await testHost.call('POST /procedure/add', procedure)
  await testHost.call('POST /procedure/run', { procedure: headers['x-id'], clients: [off] })
  const [job] = JSON.parse((await fleet('jobs', '--json')).out).jobs
  is(job.counts.queued, 3)
  match((await fleet('jobs')).out, /\n *\d+ +Three +procedure +admin +1 +\d{4}-/)
  match((await fleet('job', String(job.id))).out, /\njob \d+ Three: 1 computer: 1 queued\n$/)
  is((await fleet('job', 'cancel', String(job.id))).out, `job ${job.id} Three: 1 waiting cancelled\n`)
})

test('a computer that was stopped has not failed, and one that failed before has', async () => {
  const { addr } = await testHost.agent('127.0.21.10')
  await testHost.addComputer(addr)
  const job = jobIdOf(await testHost.call('POST /shell/run', { clients: [addr], run: 'x', echo: true }))
  is((await fleet('job', 'stop', String(job))).code, 0)
  const sums = async () => JSON.parse((await fleet('jobs', '--json')).out).jobs[0].computers
  equal([(await sums()).stopped, (await sums()).failure], [1, 0])
  match((await fleet('jobs')).out, / run: x +request +admin +1 +\d{4}-/)
})

test.run()

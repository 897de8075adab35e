// The outputs of jobs: callers read them, and learn when the limit for all outputs dropped one.
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { postgres: false }

const client = '127.0.41.1'
/** Characters of one output: few of them reach the smallest limit. */
const characters = 120_000
const limits = { outputs_bytes: 1_048_576, output: characters }

const testHost = await startTestHost({ options: { store: { adapter: 'lowdb', path: './data' }, limits } })
const jobs = followJobs(testHost)
const agent = await testHost.agent(client)
const { fleet, remove } = openShellOf(testHost)

const test = suite('outputs of jobs')
test.after(async () => {
  remove()
  await testHost.stop()
})

const outputOf = (number: number) => `output ${number} `.padEnd(characters, 'x')

/** Runs a script whose output has this number; resolves to the job. */
async function run(number: number): Promise<number> {
  const job = jobIdOf(await testHost.call('POST /shell/run', { clients: [client], run: 'id', echo: true }))
  await agent.next('/shell/run')
  agent.answer(200, { out: outputOf(number) })
  await jobs.finished(job)
  return job
}

test('the oldest outputs are dropped when all exceed the limit, and their parts show it', async () => {
  const first = await run(0)
  const [before] = await jobs.parts(first, `?client=${client}`)
  equal([before?.output, before?.output_dropped], [outputOf(0), undefined])
  let last = first
  for (let number = 1; number <= 10; number += 1) last = await run(number)
  const [part] = await jobs.parts(first, `?client=${client}`)
  equal([part?.state, part?.output, part?.output_dropped], ['success', '', true])
  is((await jobs.parts(last, `?client=${client}`))[0]?.output, outputOf(10))
  is('output_dropped' in ((await jobs.parts(first))[0] ?? {}), false)
  match(await testHost.logged(/dropped the oldest outputs/), 'at most 1048576 bytes')
  const dropped = await fleet('job', `${first}`, '--output', '--client', client)
  match(dropped.out, /1 client, output no longer stored: 127\.0\.41\.1\n$/)
  const stored = await fleet('job', `${last}`, '--output', '--client', client)
  match(stored.out, 'output 10 xxx')
  not.match((await fleet('job', `${last}`)).out, 'output 10')
})

test.run()

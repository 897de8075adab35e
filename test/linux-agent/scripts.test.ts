// Scripts on the agent for Linux: their output, their exit code, and what it means for the job.
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { endPrograms } from '../harness/daemon-process.ts'
import { startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { isRunning } from '../harness/running-process.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost({ options: { limits: { output: 20_000 } } })
const fixture = createLinuxFixture()
const addr = '127.0.43.1'
await lab.addComputer(addr)
const refreshed = lab.event('command-ended', { addr, command: 'refresh' })
startLinuxAgent({ port: lab.host.ports.agents, addr, fixture })
await refreshed

/** The part of the job, with its output. */
async function run(script: string, query = '', more: object = {}) {
  const finished = lab.event('job-finished')
  const { headers } = await lab.call(`POST /shell/run${query}`, { clients: [addr], run: script, echo: true, ...more })
  await finished
  const { parts } = (await lab.call(`GET /jobs/${headers['x-job-id']}?client=${addr}`)).json
  const { state, reason, output } = parts[0]
  return { state, reason, output }
}

const success = (output: string) => ({ state: 'success', reason: undefined, output })
const failure = (reason: string, output: string) => ({ state: 'failure', reason, output })

const test = suite('scripts on the agent for Linux')
test.after(async () => {
  await endPrograms()
  await lab.stop()
  fixture.remove()
})

test('both outputs of a script are returned in their order', async () => {
  equal(await run('echo one; echo two >&2\necho three'), success('one\ntwo\nthree\n'))
})

test('an exit code that is not 0 is a failure with its number, and the output is kept', async () => {
  equal(await run('echo before; exit 3'), failure('exit code 3', 'before\n'))
  const { clients } = (await lab.call('GET /clients')).json
  is(clients[0].last_cmd.result, 'failure')
  is((await lab.call('POST /shell/output', { clients: [addr] })).json.clients[0].output, 'before\n')
})

test('a script that a signal ended has 128 and the number of the signal', async () => {
  equal(await run('kill -9 $$'), failure('exit code 137', ''))
})

test('a command that does not exist is exit code 127', async () => {
  const { reason, output } = await run('no-such-command')
  is(reason, 'exit code 127')
  is(/no-such-command: not found/.test(output), true)
})

test('without echo the exit code counts, too', async () => {
  equal(await run('echo text; exit 4', '', { echo: false }), failure('exit code 4', ''))
})

test('?allow_failure=1 and ignore_status make any exit code a success', async () => {
  equal(await run('echo before; exit 3', '?allow_failure=1'), success('before\n'))
  equal(await run('echo before; exit 3', '', { ignore_status: true }), success('before\n'))
  equal(await run('exit 3', '?allow_failure=0', { ignore_status: false }), failure('exit code 3', ''))
})

test('the output is cut, whatever its characters, and the script runs to its end', async () => {
  const { state, output } = await run(`yes 'ñ€' | head -c 2000000; touch ${fixture.record('end')}`)
  equal([state, output.length], ['success', 16_384])
  equal(await run(`cat ${fixture.record('end')}; head -c 100000 /dev/zero`), success('\0'.repeat(16_384)))
})

test('what a script prints while it runs comes in pieces, and is kept when its job is stopped', async () => {
  const printed = lab.event('job-output', { addr })
  const script = `echo one; sleep 600 & echo $! > ${fixture.record('pid')}; wait`
  const { headers } = await lab.call('POST /shell/run', { clients: [addr], run: script, echo: true })
  const job = Number(headers['x-job-id'])
  equal(await printed, { type: 'job-output', addr, job, step: 0, text: 'one\n' })
  const [ended, stopped] = ['shell-run', 'stop'].map(command => lab.event('command-ended', { addr, command }))
  const finished = lab.event('job-finished')
  await lab.call('POST /job/stop', { id: String(job) })
  is((await ended)?.reason, 'interrupted by stop of admin')
  await Promise.all([finished, stopped])
  const [part] = (await lab.call(`GET /jobs/${job}?client=${addr}`)).json.parts
  equal([part.state, part.output], ['failure', 'one\n'])
  is(isRunning(Number(readFileSync(fixture.record('pid'), 'utf8'))), false)
})

test('after its timeout a script is ended with its processes, and its output is kept', async () => {
  const script = `echo one; sleep 600 & echo $! > ${fixture.record('pid')}; wait; echo two`
  equal(await run(script, '', { timeout: 1 }), failure('ended after 1 s', 'one\n'))
  is(isRunning(Number(readFileSync(fixture.record('pid'), 'utf8'))), false)
})

test('a script ends when its shell does, although it has left a process in the background', async () => {
  const { state, output } = await run('sleep 600 & echo $!')
  is(state, 'success')
  process.kill(Number(output))
})

test('two scripts do not share a shell, and the input of each is empty', async () => {
  equal(await run('cd /; X=1; cat; echo end'), success('end\n'))
  equal(await run('echo "[$X]"'), success('[]\n'))
})

test.run()

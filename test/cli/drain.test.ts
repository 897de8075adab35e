// `fleet drain`: waits until nothing runs, and reports what still runs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { pollUntil } from '../harness/poll.ts'
import { token } from '../harness/rest-call.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { hosts: false }

const testHost = await startTestHost()
const { fleet, fleetWith, program, remove, folder } = openShellOf(testHost)
const addr = '127.0.46.1'
await testHost.addComputer(addr)
await testHost.addComputer('127.0.46.2')
const agent = await testHost.agent(addr)
const script = { clients: [addr], run: 'x', echo: true }

const test = suite('drain in the CLI')
test.after(async () => {
  remove()
  await testHost.stop()
})

test('it waits until running parts have ended, prints what it waits for, and then what is queued', async () => {
  await testHost.call('POST /shell/run', script)
  await agent.next('/shell/run')
  await testHost.call('POST /shell/run?queue=1', { ...script, clients: [addr, '127.0.46.2'] })
  const drained = fleet('drain')
  await pollUntil(async () => (await testHost.call('GET /drain')).json.draining)
  agent.answer(200, { out: '' })
  const { code, out, error } = await drained
  equal([code, error], [0, ''])
  const [waiting, end] = out.split('\n')
  is(waiting, 'waiting for 1 part of job 1')
  match(end ?? '', /^nothing is running; 2 parts queued for after the restart; the daemon drains until its restart, or/)
})

test('a refused command prints the reason', async () => {
  const { code, error } = await fleet('send', 'probe', '--client', addr)
  is(code, 1)
  is(error, 'fleet: the daemon drains before a restart and accepts no new work\n')
})

test('--cancel makes the daemon accept work again', async () => {
  equal(await program('drain', '--cancel'), { code: 0, out: 'not draining: the daemon accepts new work\n', error: '' })
  is((await testHost.call('GET /drain')).json.draining, false)
  await agent.next('/run/schedule')
  agent.answer(200)
  await agent.next('/shell/run')
})

test('after --timeout it exits with 1, and the daemon keeps draining', async () => {
  const { code, error } = await fleet('drain', '--timeout', '0s')
  is(code, 1)
  match(
    error,
    /^fleet: drain: 1 part of job 2 still running; the daemon drains until its restart, or until fleet drain/,
  )
  is((await testHost.call('GET /drain')).json.draining, true)
})

test('it ends with 1 when the draining is cancelled meanwhile', async () => {
  await testHost.call('POST /drain', { cancel: true })
  const drained = fleet('drain')
  await pollUntil(async () => (await testHost.call('GET /drain')).json.draining)
  await testHost.call('POST /drain', { cancel: true })
  const { code, error } = await drained
  equal([code, error], [1, 'fleet: drain: cancelled meanwhile, or the daemon has restarted\n'])
})

test('--config asks the daemon of this machine that has this options file, with its token', async () => {
  const config = join(folder, 'options.json')
  const write = (api_token: string) =>
    writeFileSync(config, JSON.stringify({ rest: { port: testHost.host.ports.rest, api_token } }))
  write(token)
  const environment = { FLEET_URL: 'http://127.0.0.1:1', FLEET_API_TOKEN: '' }
  const { code, error } = await fleetWith(environment, 'drain', '--cancel', '--config', config)
  equal([code, error], [0, ''])
  is((await testHost.call('GET /drain')).json.draining, false)
  write('another')
  match((await fleetWith(environment, 'drain', '--config', config)).error, /wrong or missing token/)
})

test('a time without a number is a usage error', async () => {
  const { code, error } = await fleet('drain', '--timeout', 'soon')
  equal([code, error], [2, 'fleet: --timeout: expected a time such as 90s, 10m or 2h, got soon\n'])
})

test.run()

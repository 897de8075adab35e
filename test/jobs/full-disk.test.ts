// Commands while the store cannot be written: they are 500, and agents are not sent what no job could record.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { failingMethods, failingStoreFile } from '../harness/failing-store.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { postgres: false }

failingMethods.clear()
const addr = '127.0.32.1'
const lab = await startTestHost({ options: { store: { adapter: failingStoreFile, path: './data' } } })
await lab.addComputer(addr)
const agent = await lab.agent(addr)

const shell = { clients: [addr], run: 'id', echo: true }
const status = async (route: string, payload: object) => (await lab.call(route, payload)).status
const requestPaths = () => agent.requests.map(({ path }) => path)

/** Makes all writes of commands and jobs fail; one has failed when it resolves. */
async function fillDisk(): Promise<void> {
  failingMethods.add('undo.keep').add('computers.update').add('jobs.add').add('jobs.update')
  is(await status('POST /client/update', { ip: addr, name: 'new' }), 500)
}

/** Sends a script and replies to it; resolves to the job's id. */
async function runShell(reply: number): Promise<number> {
  const finished = lab.event('job-finished', {})
  const job = jobIdOf(await lab.call('POST /shell/run', shell))
  await agent.next('/shell/run')
  agent.answer(reply, { out: 'kept' })
  await finished
  return job
}

const test = suite('commands on a full disk')

test('a command is 500 and the agent is not sent it; afterwards it is sent again', async () => {
  await runShell(200)
  const before = requestPaths()
  await fillDisk()
  for (const [route, payload] of [
    ['POST /shell/run', shell],
    ['POST /shell/run?queue=1', shell],
    ['POST /reboot', { clients: [addr] }],
    ['POST /wol', { clients: ['10.9.9.9'], type: 'broadcast' }],
  ] as const) {
    is(await status(route, payload), 500, route)
  }
  equal(requestPaths(), before)
  const output = await lab.call('POST /shell/output', { clients: [addr] })
  equal(output.json.clients, [{ addr, output: 'kept' }])
  is((await lab.call('GET /clients')).json.clients[0].state, 'OPG')
  failingMethods.clear()
  await runShell(200)
  equal(requestPaths(), [...before, '/shell/run'])
})

test('the parts of a job that is retried are not sent again', async () => {
  const job = await runShell(500)
  const before = requestPaths()
  await fillDisk()
  is(await status('POST /job/retry', { id: String(job) }), 500)
  equal(requestPaths(), before)
  failingMethods.clear()
  is(await status('POST /job/retry', { id: String(job) }), 200)
  await agent.next('/shell/run')
  agent.answer(200)
})

test('a procedure is not sent', async () => {
  const steps = [{ command: 'shell-run', params: { run: 'id', echo: true } }]
  await lab.call('POST /procedure/add', { center: '1', name: 'Procedure', steps })
  const before = requestPaths()
  await fillDisk()
  is(await status('POST /procedure/run', { clients: [addr], procedure: '1' }), 500)
  equal(requestPaths(), before)
  failingMethods.clear()
})

test.after(() => lab.stop())
test.run()

// Two thousand agents at once: they connect, are listed, and get one request.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { type Agent, connectAgent } from '../../host/test-kit/simulated-agent.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

const agentOptions = { ip: '0.0.0.0', port: 0, unknown: 2000 }
const testHost = await startTestHost({ options: { agents: agentOptions } })
const addrs = Array.from({ length: 2000 }, (_, index) => `127.30.${Math.floor(index / 250)}.${(index % 250) + 1}`)
const agents: Agent[] = []

/** Resolves when `count` agents have been refreshed. */
function waitForRefreshes({ host }: TestHost, count: number): Promise<void> {
  let refreshed = 0
  return new Promise(resolve => {
    const unsubscribe = host.events.on(() => {
      refreshed += 1
      if (refreshed < count) return
      unsubscribe()
      resolve()
    }, ['client-ready'])
  })
}

const test = suite('large fleet')

test('two thousand agents connect at once and are refreshed', async () => {
  const refreshed = waitForRefreshes(testHost, addrs.length)
  const port = testHost.host.ports.agents
  const auto = { '/refresh': { status: 200 }, '/shell/run': { status: 200, body: { out: 'done' } } }
  agents.push(...(await Promise.all(addrs.map(addr => connectAgent({ port, addr, auto, keep: false })))))
  await refreshed
})

test('GET /clients lists two thousand agents within its size limit', async () => {
  const { status, text, json } = await testHost.call('GET /clients')
  is(status, 200)
  is(json.clients.length, addrs.length)
  ok(text.length < 262_144, `${text.length} bytes`)
  ok(json.clients.every(({ state }: { state: string }) => state === 'OPG'))
})

test('one request reaches two thousand agents', async () => {
  const finished = testHost.event('job-finished')
  const job = jobIdOf(await testHost.call('POST /shell/run', { clients: addrs, run: 'true', echo: true }))
  const { addrs: clients, ...event } = await finished
  equal(event, { type: 'job-finished', job, name: 'shell-run', by: 'admin', counts: { success: addrs.length } })
  equal(new Set(clients), new Set(addrs))
  is((await testHost.call(`GET /jobs/${job}`)).json.counts.success, addrs.length)
  equal(
    agents.flatMap(({ violations: complaints }) => complaints),
    [],
  )
})

test('parts that wait for many clients when the daemon ends still wait after a restart', async () => {
  const options = { store: { adapter: 'lowdb', path: './data' } }
  const first = await startTestHost({ options })
  const some = addrs.slice(0, 600)
  const auto = { '/refresh': { status: 200 }, '/run/schedule': { status: 200 } }
  const refreshed = waitForRefreshes(first, some.length)
  const { agents: port } = first.host.ports
  const connected = await Promise.all(some.map(addr => connectAgent({ port, addr, auto, keep: false })))
  await refreshed
  const scripts = Promise.all(connected.map(agent => agent.next('/shell/run')))
  const step = { command: 'shell-run', params: { run: 'true', echo: true } }
  await first.call('POST /center/add', { name: 'Center' })
  await first.call('POST /procedure/add', { center: '1', name: 'Twice', steps: [step, step] })
  is((await first.call('POST /procedure/run', { procedure: '1', clients: some })).status, 200)
  await scripts
  await first.stop('keep')
  for (const agent of connected) agent.destroy()
  const second = await startTestHost({ options, folder: first.folder })
  try {
    const [{ counts }] = (await second.call('GET /jobs')).json.jobs
    equal([counts.queued, counts.failure], [some.length, some.length], JSON.stringify(counts))
  } finally {
    await second.stop()
  }
})

test.after(async () => {
  for (const agent of agents) agent.destroy()
  await testHost.stop()
})
test.run()

// Two thousand agents at once: connected, refreshed, listed, and reached by one request.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { type Agent, connectAgent } from '../harness/simulated-agent.ts'
import { type Lab, startLab } from '../harness/test-host.ts'

const lab = await startLab()
const addrs = Array.from({ length: 2000 }, (_, index) => `127.30.${Math.floor(index / 250)}.${(index % 250) + 1}`)
const agents: Agent[] = []

/** Resolves when so many agents have been refreshed. */
function refreshed({ host }: Lab, count: number): Promise<void> {
  let seen = 0
  return new Promise(resolve => {
    const off = host.events.on(() => {
      seen += 1
      if (seen < count) return
      off()
      resolve()
    }, ['client-ready'])
  })
}

const test = suite('two thousand agents')

test('all connect at once and are refreshed', async () => {
  const all = refreshed(lab, addrs.length)
  const port = lab.host.ports.agents
  const auto = { '/refresh': { status: 200 }, '/shell/run': { status: 200, body: { out: 'done' } } }
  agents.push(...(await Promise.all(addrs.map(addr => connectAgent({ port, addr, auto, keep: false })))))
  await all
})

test('GET /clients lists them within its limit', async () => {
  const { status, text, json } = await lab.call('GET /clients')
  is(status, 200)
  is(json.clients.length, addrs.length)
  ok(text.length < 262_144, `${text.length} bytes`)
  ok(json.clients.every(({ state }: { state: string }) => state === 'OPG'))
})

test('one request reaches all of them', async () => {
  const { headers } = await lab.call('POST /shell/run', { clients: addrs, run: 'true', echo: true })
  const counts = async () => (await lab.call(`GET /jobs/${headers['x-job-id']}`)).json.counts
  for (const end = Date.now() + 20_000; (await counts()).success < addrs.length; ) {
    if (Date.now() > end) throw new Error(JSON.stringify(await counts()))
  }
  equal(
    agents.flatMap(({ complaints }) => complaints),
    [],
  )
})

test('what waits for many when the daemon ends waits on', async () => {
  const lasting = { store: { adapter: 'lowdb', path: './data' } }
  const first = await startLab({ options: lasting })
  const some = addrs.slice(0, 600)
  const auto = { '/refresh': { status: 200 }, '/run/schedule': { status: 200 } }
  const ready = refreshed(first, some.length)
  const { agents: port } = first.host.ports
  const connected = await Promise.all(some.map(addr => connectAgent({ port, addr, auto, keep: false })))
  await ready
  const all = Promise.all(connected.map(agent => agent.next('/shell/run')))
  const step = { command: 'shell-run', params: { run: 'true', echo: true } }
  await first.call('POST /center/add', { name: 'Center' })
  await first.call('POST /procedure/add', { center: '1', name: 'Twice', steps: [step, step] })
  is((await first.call('POST /procedure/run', { procedure: '1', clients: some })).status, 200)
  await all
  await first.stop('keep')
  for (const agent of connected) agent.destroy()
  const second = await startLab({ options: lasting, folder: first.folder })
  try {
    const [{ counts }] = (await second.call('GET /jobs')).json.jobs
    equal([counts.queued, counts.failure], [some.length, some.length], JSON.stringify(counts))
  } finally {
    await second.stop()
  }
})

test.after(async () => {
  for (const agent of agents) agent.destroy()
  await lab.stop()
})
test.run()

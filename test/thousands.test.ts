// Two thousand agents at once: connected, refreshed, listed, and reached by one request.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { type Agent, connectAgent } from './agent.ts'
import { startLab } from './harness.ts'

const lab = await startLab()
const addrs = Array.from({ length: 2000 }, (_, index) => `127.30.${Math.floor(index / 250)}.${(index % 250) + 1}`)
const agents: Agent[] = []

const test = suite('two thousand agents')

test('all connect at once and are refreshed', async () => {
  let refreshed = 0
  const all = new Promise<void>(resolve => {
    const off = lab.host.events.on(event => {
      if (event.type !== 'client-ready') return
      refreshed += 1
      if (refreshed < addrs.length) return
      off()
      resolve()
    })
  })
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

test.after(async () => {
  for (const agent of agents) agent.destroy()
  await lab.stop()
})
test.run()

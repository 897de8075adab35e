// Health pages and metrics: who may read them, and what they say.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import readyz from '../../commands/readyz.ts'
import { createEvents } from '../../host/system/events.ts'
import { createHealth } from '../../host/system/health.ts'
import { createLog } from '../../host/system/log.ts'
import { observeStore } from '../../host/system/observed-store.ts'
import openMemory from '../../stores/memory.ts'
import { saying, startSite } from '../harness/site-folder.ts'
import { startLab } from '../harness/test-host.ts'

const lab = await startLab()
const open = await startLab({ options: { rest: { port: 0, open_metrics: true }, deadlines: { hardware: 0.05 } } })
const site = await startSite()
const memory = await openMemory(
  { adapter: 'memory', path: '/nowhere' },
  createLog(() => {}),
)
const without = { Authorization: '' }

const health = suite('health')

health('healthz and readyz need no token', async () => {
  const alive = await lab.call('GET /healthz', undefined, without)
  equal([alive.status, alive.json], [200, { alive: true }])
  const ready = await lab.call('GET /readyz', undefined, without)
  equal([ready.status, ready.json], [200, { ready: true }])
})

health('they are open by exact path only', async () => {
  is((await lab.call('GET /healthz/more', undefined, without)).status, 401)
  is((await lab.call('POST /healthz', undefined, without)).status, 401)
})

health('readyz is 503 with its reasons as JSON when the daemon cannot do its work', async () => {
  const reasons = ['store: /data is full']
  const rooms = { health: { problems: async () => reasons } }
  const answer = await Reflect.apply(readyz.answer, undefined, [undefined, rooms])
  equal(answer, { status: 503, type: 'application/json', body: JSON.stringify({ ready: false, reasons }) })
})

health('a store that fails, a port that is closed and an empty table are reasons', async () => {
  const sick = createHealth({
    probe: () => Promise.reject(new Error('/data is full')),
    listening: () => false,
    commands: () => 0,
  })
  equal(await sick.problems(), [
    'store: /data is full',
    'agents: their port does not listen',
    'modules: no command is in service',
  ])
})

health('a store whose last write failed is tried with a write until one succeeds', async () => {
  let full = true
  const refuseOr = <Result>(work: () => Promise<Result>) => (full ? Promise.reject(new Error('full')) : work())
  const computers = { ...memory.computers, update: () => refuseOr(() => memory.computers.update([], {})) }
  const jobs = { ...memory.jobs, mark: () => refuseOr(async () => {}) }
  const events = createEvents(createLog(() => {}))
  const { store, probe } = observeStore({ ...memory, computers, jobs }, events, () => {})
  await memory.centers.add({ name: 'Center', comment: '' })
  const room = { name: 'Room', center: 1, netmask: '', location: '', gateway: '', ntp: '', dns: '', group: 0 }
  await memory.rooms.add({ ...room, remote: false })
  const computer = { ip: '10.0.0.1', mac: '000000000000', name: 'pc', room: 1, netmask: '', boot: '', livedir: '' }
  const rest = { serial_number: '', hardware_id: 0, repo_id: 1, netiface: '', netdriver: '' }
  await store.computers.add([{ ...computer, ...rest, remote: false, maintenance: false }])
  await probe()
  await store.jobs.update([]).catch(() => {})
  is(await probe().catch(error => error.message), 'full')
  full = false
  is(await probe(), undefined)
})

health.run()

const metrics = suite('metrics')

metrics('need the token, unless the option rest.open_metrics opens them', async () => {
  is((await lab.call('GET /metrics', undefined, without)).status, 401)
  is((await lab.call('GET /metrics')).status, 200)
  const { status, headers } = await open.call('GET /metrics', undefined, without)
  equal([status, headers['content-type']], [200, 'text/plain; version=0.0.4; charset=utf-8'])
  is((await open.call('GET /clients', undefined, without)).status, 401)
})

/** The value of a line of the metrics, undefined when there is no such line. */
async function metric(name: string): Promise<number | undefined> {
  const { text } = await lab.call('GET /metrics')
  const line = text.split('\n').find(one => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

metrics('agents are counted by state, commands by name and outcome', async () => {
  const [idle, busy] = await Promise.all(['127.0.0.2', '127.0.0.3'].map(addr => lab.agent(addr)))
  const clients = ['127.0.0.2', '127.0.0.3']
  const ended = lab.event('command-ended', { addr: '127.0.0.2', command: 'shell-run' })
  await lab.call('POST /shell/run', { clients, run: 'true', echo: true })
  await Promise.all([idle?.next('/shell/run'), busy?.next('/shell/run')])
  idle?.answer(200, { out: 'done' })
  await ended
  is(await metric('fleet_agents{state="OPG"}'), 1)
  is(await metric('fleet_agents{state="BSY"}'), 1)
  is(await metric('fleet_commands_total{command="shell-run",outcome="success"}'), 1)
  is(await metric('fleet_commands_total{command="refresh",outcome="success"}'), 2)
  is(await metric('fleet_request_seconds_count{route="POST /shell/run",status="200"}'), 1)
})

metrics('the queue, writes of the store and the event loop are there', async () => {
  await lab.addComputer('10.9.0.1')
  await lab.call('POST /poweroff?queue=1', { clients: ['10.9.0.1'] })
  is(await metric('fleet_queue_parts'), 1)
  ok(Number(await metric('fleet_store_write_seconds_count')) > 0)
  ok((await metric('nodejs_eventloop_lag_p99_seconds')) !== undefined)
})

metrics('requests without a route are counted under none', async () => {
  await lab.call('GET /nowhere/at/all')
  is(await metric('fleet_request_seconds_count{route="",status="404"}'), 1)
})

metrics('a missed deadline is counted', async () => {
  const agent = await open.agent('127.0.0.2')
  const ended = open.event('command-ended', { addr: agent.addr, command: 'hardware' })
  await open.call('POST /hardware', { clients: [agent.addr] })
  await agent.next('/hardware')
  is((await ended).overdue, true)
  match((await open.call('GET /metrics')).text, /\nfleet_deadlines_missed_total\{command="hardware"\} 1\n/)
})

metrics('module reloads and failures are counted', async () => {
  await site.save('one.ts', saying('one', 'GET /one'))
  await site.save('one.ts', 'export default {}\n')
  const { text } = await site.lab.call('GET /metrics')
  match(text, /\nfleet_module_changes_total\{outcome="failed"\} 1\n/)
  match(text, /\nfleet_module_changes_total\{outcome="loaded"\} \d+\n/)
})

metrics.after(async () => {
  await Promise.all([lab.stop(), open.stop(), site.stop()])
})
metrics.run()

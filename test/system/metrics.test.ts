// Prometheus metrics: access to them, and what they count.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { startSite, textCommand } from '../harness/site-folder.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const open = await startTestHost({ options: { rest: { port: 0, open_metrics: true }, deadlines: { hardware: 0.05 } } })
const site = await startSite()
const without = { Authorization: '' }

const metrics = suite('metrics')

metrics('metrics need the token, unless the option rest.open_metrics opens them', async () => {
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
  const seconds = Number(await metric('fleet_request_seconds_sum{route="POST /shell/run",status="200"}'))
  ok(seconds > 0 && seconds < 60, `${seconds}`)
})

metrics('refused connections of agents are counted by the option that refuses them', async () => {
  const known = await startTestHost({ options: { agents: { ip: '0.0.0.0', port: 0, allow: 'known' } } })
  for (const addr of ['127.0.25.11', '127.0.25.12']) await (await known.agent(addr, { auto: false })).closed
  match((await known.call('GET /metrics')).text, /\nfleet_agents_refused_total\{reason="allow"\} 2\n/)
  await known.stop()
})

metrics('queued parts and writes of the store are measured', async () => {
  await lab.addComputer('10.9.0.1')
  await lab.call('POST /poweroff?queue=1', { clients: ['10.9.0.1'] })
  is(await metric('fleet_queue_parts'), 1)
  ok(Number(await metric('fleet_store_write_seconds_count')) > 0)
  const seconds = Number(await metric('fleet_store_write_seconds_sum'))
  ok(seconds > 0 && seconds < 60, `${seconds}`)
  const { text } = await lab.call('GET /metrics')
  for (const name of ['fleet_store_write_seconds', 'fleet_request_seconds']) {
    const bounds = [...text.matchAll(new RegExp(`^${name}_bucket.*?le="([\\d.]+)"`, 'gm'))].map(([, le]) => Number(le))
    const isAscending = bounds.every((bound, index) => bound === bounds[0] || bound > (bounds[index - 1] ?? 0))
    ok(bounds.length > 0 && isAscending, `${name}: ${bounds.join()}`)
  }
})

metrics("the event loop's longest delay since the last look is measured", async () => {
  await metric('nodejs_eventloop_lag_max_seconds')
  const end = performance.now() + 50
  while (performance.now() < end);
  const { text } = await lab.call('GET /metrics')
  const of = (name: string) => Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (.*)$`, 'm').exec(text)?.[1])
  ok(of('max') >= 0.05 && of('max') < 10, `${of('max')} s`)
  ok(of('min') <= of('mean') && of('mean') <= of('max') && of('stddev') >= 0)
  ok(of('p50') <= of('p90') && of('p90') <= of('p99'))
  is(text.match(/^nodejs_eventloop_lag_\w+_seconds /gm)?.length, 7)
})

metrics('requests without a route are counted with an empty route', async () => {
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
  await site.save('one.ts', textCommand('one', 'GET /one'))
  await site.save('one.ts', 'export default {}\n')
  const { text } = await site.lab.call('GET /metrics')
  match(text, /\nfleet_module_changes_total\{outcome="failed"\} 1\n/)
  match(text, /\nfleet_module_changes_total\{outcome="loaded"\} \d+\n/)
})

metrics.after(async () => {
  await Promise.all([lab.stop(), open.stop(), site.stop()])
})
metrics.run()

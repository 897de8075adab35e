// What authors and administrators see of hooks: the list, the command line, the metrics, and the time that they take.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { pollUntil } from '../harness/poll.ts'
import { startSite } from '../harness/site-folder.ts'

const test = suite('list of hooks')

const hook = (when: string, body: string) =>
  `export default { summary: 'A hook', ${when}, async run({ services }) { ${body} } }\n`

// Not by Date.now(), whose milliseconds are cut: 40 of them may be 39 and a bit.
const loop = `for (const end = performance.now() + 40; performance.now() < end; );`

async function startWith(when: string, body: string) {
  const site = await startSite()
  await site.save('one.ts', hook(when, body))
  const entry = async () => (await site.lab.call('GET /hooks')).json.hooks[0]
  const ran = (count: number) =>
    pollUntil(async () => {
      const { runs, state } = await entry()
      return runs >= count && state !== 'running'
    })
  return { ...site, entry, ran }
}

test('it has what each hook runs after, its runs and its last run', async () => {
  const { lab, entry, ran, path, stop } = await startWith(`on: ['client-ready']`, '')
  lab.host.events.emit({ type: 'client-ready', addr: '127.0.0.2' })
  await ran(1)
  const { last_run, mean_ms, longest_ms, ...others } = await entry()
  equal(others, {
    name: 'one',
    summary: 'A hook',
    file: path('one.ts'),
    pack: 'one',
    kind: 'on',
    on: ['client-ready'],
    state: 'waiting',
    waiting: 0,
    runs: 1,
    failures: 0,
  })
  ok(Math.abs(Date.now() - Date.parse(last_run)) < 60_000)
  ok(mean_ms <= longest_ms)
  await stop()
})

test('a failing hook has the error of its last run, and what waits', async () => {
  const { lab, entry, ran, stop } = await startWith(
    `on: ['client-ready']`,
    `throw new Error('no', { cause: new Error('refused') })`,
  )
  lab.host.events.emit({ type: 'client-ready', addr: '127.0.0.2' })
  await ran(1)
  const { state, waiting, failures, last_error } = await entry()
  equal([state, waiting, failures, last_error], ['failing', 1, 1, 'no: refused'])
  await lab.logged(/one\.ts: run failed, 1 of 10, again in 1 s: no: refused/)
  const { text } = await lab.call('GET /metrics')
  match(text, 'fleet_module_runs_total{module="one",result="failure"} 1')
  match(text, /fleet_module_seconds_total\{module="one"\} [\d.e-]+/)
  await stop()
})

test('a hook that keeps the processor for 40 ms shows it, also after something that it waits for', async () => {
  const { lab, entry, ran, stop } = await startWith(`every: '1 day'`, `await new Promise(setImmediate); ${loop}`)
  await lab.call('POST /hook/run', { hook: 'one' })
  await ran(1)
  ok((await entry()).longest_ms >= 40)
  await stop()
})

test('fleet hook lists, runs, pauses and resumes, which the audit log has', async () => {
  const { lab, entry, ran, stop } = await startWith(`every: '1 day'`, '')
  const { fleet, remove } = openShellOf(lab)
  match((await fleet('hook', 'list')).out, /one +every 1 day +waiting/)
  is((await fleet('hook', 'run', 'one')).out, 'one runs now\n')
  await ran(1)
  match((await fleet('hook', 'list')).out, /MEAN MS +LONGEST MS .*\none .* 1 +0 +[\d.]+ +[\d.]+ +20/)
  is((await fleet('hook', 'pause', 'one')).code, 0)
  await pollUntil(async () => (await entry()).state === 'paused')
  is((await fleet('hook', 'run', 'one')).code, 1)
  is((await fleet('hook', 'resume', 'one')).code, 0)
  await pollUntil(async () => (await entry()).state === 'waiting')
  const { json } = await lab.call('GET /audit')
  const routes = json.audit.map(({ route, status }: { route: string; status: number }) => `${route} ${status}`)
  equal(
    routes.filter((route: string) => route.includes('hook')),
    ['POST /hook/run 200', 'POST /hook/pause 200', 'POST /hook/run 400', 'POST /hook/resume 200'],
  )
  remove()
  await stop()
})

test.run()

// Hooks that run at times: every so often, by a pattern, and once after a start that missed a time.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { pollUntil } from '../harness/poll.ts'
import { startSite } from '../harness/site-folder.ts'

const test = suite('hooks that run at times')

const store = { path: './data' }

const timer = (when: string, body = '') => `
export default {
  summary: 'Run at times',
  ${when},
  async run({ services }) {
    ${body}
    services.log.info('ran')
  },
}
`

async function startWith(when: string, body = '') {
  const clock = createManualClock('2026-03-02T08:00:00')
  const site = await startSite({ store }, { clock })
  await site.save('timer.ts', timer(when, body))
  const entry = async () => (await site.lab.call('GET /hooks')).json.hooks[0]
  const runs = () => site.lab.log.filter(line => line.includes('timer.ts: ran')).length
  await pollUntil(async () => (await entry())?.next_run !== undefined)
  return { ...site, clock, entry, runs, ran: (count: number) => pollUntil(() => runs() === count) }
}

test('every 15 minutes it runs once in that time', async () => {
  const { clock, ran, entry, stop } = await startWith(`every: '15 minutes'`)
  for (let count = 1; count <= 3; count += 1) {
    await clock.advance(15 * 60_000)
    await ran(count)
    await pollUntil(async () => (await entry()).state === 'waiting')
  }
  const { kind, every, state, runs, failures, next_run } = await entry()
  equal([kind, every, state, runs, failures], ['every', '15 minutes', 'waiting', 3, 0])
  is(next_run, new Date('2026-03-02T09:00:00').toISOString())
  await stop()
})

test('a run by hand, or one that is repeated, does not move the next one', async () => {
  const { clock, ran, entry, lab, stop } = await startWith(`every: '15 minutes'`)
  const due = (await entry()).next_run
  for (const count of [1, 2]) {
    await clock.advance(60_000)
    is((await lab.call('POST /hook/run', { hook: 'timer' })).status, 200)
    await ran(count)
    await pollUntil(async () => (await entry()).state === 'waiting')
    is((await entry()).next_run, due)
  }
  await stop()
})

test('it also runs at a time that a module has asked for, unless it runs before', async () => {
  const { clock, ran, entry, stop } = await startWith(
    `every: '15 minutes'`,
    `for (const seconds of [5, 3600]) services.hooks.run('timer', services.now() + seconds * 1000)`,
  )
  await clock.advance(15 * 60_000)
  for (const count of [1, 2]) {
    await ran(count)
    await pollUntil(async () => (await entry()).state === 'waiting')
    is((await entry()).next_run, new Date(clock.now() + 5000).toISOString())
    await clock.advance(5000)
  }
  await stop()
})

test('cron is in the time zone of the daemon', async () => {
  const { clock, ran, entry, stop } = await startWith(`cron: '30 9 * * 1-5'`)
  is((await entry()).next_run, new Date('2026-03-02T09:30:00').toISOString())
  await clock.advanceTo('2026-03-02T09:30:00')
  await ran(1)
  is((await entry()).next_run, new Date('2026-03-03T09:30:00').toISOString())
  await stop()
})

test('a run that takes longer than its interval is followed by one, never by two at a time', async () => {
  const body = `services.log.info('begins'); await new Promise(resolve => { globalThis.endRun = resolve })`
  const { clock, ran, lab, stop } = await startWith(`every: '1 second'`, body)
  await clock.advance(1000)
  await lab.logged(/begins/)
  await clock.advance(5000)
  is(lab.log.filter(line => line.includes('begins')).length, 1)
  Reflect.get(globalThis, 'endRun')()
  await ran(1)
  await pollUntil(() => lab.log.filter(line => line.includes('begins')).length === 2)
  Reflect.get(globalThis, 'endRun')()
  await ran(2)
  await stop()
})

test('a run that was missed while the daemon was down is done once after the start', async () => {
  const { lab, folder, clock, stop } = await startWith(`cron: '0 9 * * *'`)
  await lab.stop('keep')
  clock.setForward(3 * 86_400_000)
  const next = await startSite({ commands: [folder], store }, { clock, folder: lab.folder })
  await next.lab.logged(/timer.ts: ran/)
  const [hook] = (await next.lab.call('GET /hooks')).json.hooks
  equal([hook.runs, hook.next_run], [1, new Date('2026-03-05T09:00:00').toISOString()])
  await next.stop()
  await stop().catch(() => {})
})

test('POST /hook/run runs a timer now, and is refused for other hooks', async () => {
  const { lab, ran, save, stop } = await startWith(`every: '1 day'`)
  is((await lab.call('POST /hook/run', { hook: 'timer' })).status, 200)
  await ran(1)
  await save('ready.ts', `export default { summary: 'Run', on: ['client-ready'], run() {} }`)
  const { status, headers } = await lab.call('POST /hook/run', { hook: 'ready' })
  is(status, 400)
  match(String(headers['x-reason']), 'expected one with every or cron')
  is((await lab.call('POST /hook/run', { hook: 'nothing' })).status, 400)
  await stop()
})

test('a paused timer does not run, also after a restart, until it is resumed', async () => {
  const { lab, folder, clock, entry, stop } = await startWith(`every: '1 hour'`)
  is((await lab.call('POST /hook/pause', { hook: 'timer' })).status, 200)
  await pollUntil(async () => (await entry()).state === 'paused')
  is((await entry()).paused_by, 'admin')
  await clock.advance(3 * 3_600_000)
  await lab.stop('keep')
  const next = await startSite({ commands: [folder], store }, { clock, folder: lab.folder })
  is((await next.lab.call('GET /hooks')).json.hooks[0].state, 'paused')
  is((await next.lab.call('POST /hook/resume', { hook: 'timer' })).status, 200)
  await next.lab.logged(/timer.ts: ran/)
  await next.stop()
  await stop().catch(() => {})
})

test('20 hooks with times need one timer of the daemon', async () => {
  const clock = createManualClock()
  let timers = 0
  const after: typeof clock.after = (time, run) => {
    timers += 1
    return clock.after(time, run)
  }
  const counted = { ...clock, after }
  const site = await startSite({}, { clock: counted })
  for (let index = 0; index < 20; index += 1) await site.save(`timer${index}.ts`, timer(`every: '1 hour'`))
  await pollUntil(async () =>
    (await site.lab.call('GET /hooks')).json.hooks.every((hook: object) => 'next_run' in hook),
  )
  timers = 0
  for (let minute = 0; minute < 30; minute += 1) await clock.advance(60_000)
  equal(timers <= 31, true, `${timers} timers`)
  await site.stop()
})

test.run()

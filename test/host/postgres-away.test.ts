// A daemon whose PostgreSQL is killed, or does not respond any more, and comes back.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { readEvents } from '../harness/event-reader.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { replyToNext } from '../harness/lab.ts'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { startQuietTimer } from '../harness/quiet-timer.ts'
import { skipFile } from '../harness/skip-file.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { seconds: 9 }

if (postgresPrograms === undefined) skipFile('postgresql')

/** The bound is 2 s. */
const longestWait = 3000

/** Of requests and of queues: five, and one that counts the others. */
const linesPerSecond = 12

/** A connection that ends with the server may be in use, or not be known to have ended yet. */
const reasons = 'PostgreSQL: ((connect|read|write) E|Connection terminated|the server does not respond)'

const server = await startPostgres()
const clock = createManualClock('2026-03-02T08:00:30')
const lab = await startTestHost({ clock, options: { store: { ...server.storeOptions('away'), path: './data' } } })
const jobs = followJobs(lab)
const [busy, idle, late] = ['127.0.41.1', '127.0.41.2', '127.0.41.3'] as const
for (const addr of [busy, idle, late]) await lab.addComputer(addr)
const [busyAgent, idleAgent] = await Promise.all([lab.agent(busy), lab.agent(idle)])
const events = await readEvents(lab.host.ports.rest)

const shell = (addr: string) => ({ clients: [addr], run: 'id', echo: true })
const isReady = async () => (await lab.call('GET /readyz')).status === 200
const addrsOf = async () =>
  (await lab.call('GET /clients')).json.clients.map(({ addr }: { addr: string }) => addr).sort()
const warnings = () => lab.log.filter(line => / (warn|error) /.test(line)).map(line => line.split('\n')[0] ?? '')

/** The statuses of requests that are sent together; fails when one of them takes too long. */
async function statuses(requests: [string, object?][]): Promise<number[]> {
  const time = startQuietTimer()
  const responses = await Promise.all(requests.map(([route, payload]) => lab.call(route, payload)))
  ok(time() < longestWait)
  return responses.map(({ status }) => status)
}

const test = suite('PostgreSQL away')
test.after(async () => {
  events.close()
  await lab.stop()
  await server.stop()
})

test('with fsync off the daemon warns once when it starts', () => {
  equal(
    warnings().map(line => line.replace(/^\S+ /, '')),
    ['warn  store: PostgreSQL: fsync off: acknowledged writes can be lost when the server stops'],
  )
})

const faults = {
  killed: { begin: () => server.kill(), end: () => server.start() },
  stopped: { begin: () => server.signal('SIGSTOP'), end: () => server.signal('SIGCONT') },
}

/** The daemon works again also after a failure, so that the next test tests what it is about. */
async function during<T>({ begin, end }: (typeof faults)['killed' | 'stopped'], check: () => Promise<T>): Promise<T> {
  await begin()
  return check().finally(async () => {
    await end()
    await pollUntil(isReady)
  })
}

for (const [name, fault] of Object.entries(faults)) {
  test(`while the server is ${name} changes and commands are 500, agents are sent nothing, and the rest goes on`, async () => {
    const running = jobIdOf(await lab.call('POST /shell/run', shell(busy)))
    await busyAgent.next('/shell/run')
    const queued = jobIdOf(await lab.call('POST /shell/run?queue=1', shell(late)))
    const sentBefore = [busyAgent.requests.length, idleAgent.requests.length]
    const eventsBefore = events.events.length
    const linesBefore = warnings().length
    const began = performance.now()

    const lateAgent = await during(fault, async () => {
      const refused: [string, object?][] = [
        ['POST /shell/run', shell(idle)],
        ['POST /shell/run?queue=1', shell(idle)],
        ['POST /reboot', { clients: [idle] }],
        ['GET /scopes'],
        ...Array.from({ length: 40 }, (): [string, object] => ['POST /client/update', { ip: idle, name: 'new' }]),
      ]
      ok((await statuses(refused)).every(status => status === 500))
      match(String((await lab.call('GET /scopes')).headers['x-reason']), new RegExp(`^${reasons}`))
      is((await lab.call('GET /scopes', undefined, { Authorization: 'wrong' })).headers['x-reason'], undefined)
      busyAgent.answer(200, { out: `while ${name}` })
      await events.until(() => events.events.slice(eventsBefore).some(({ state }) => state === 'OPG'))
      const readiness = await lab.call('GET /readyz')
      equal([readiness.status, readiness.json.ready], [503, false])
      match(readiness.json.reasons[0], new RegExp(`^store: (${reasons}|no answer after 2 s)`))
      const lateAgent = await lab.agent(late)
      equal(await addrsOf(), [busy, idle, late])
      await replyToNext(lateAgent, '/run/schedule')
      await lab.logged(new RegExp(`${late}: job ${queued} not started`))
      const isRetry = (line: string) => /part updates, retrying/.test(line)
      await pollUntil(() => warnings().slice(linesBefore).some(isRetry))
      await clock.advance(2000)
      equal([busyAgent.requests.length, idleAgent.requests.length], sentBefore)
      const lines = warnings().slice(linesBefore)
      const seconds = Math.ceil((performance.now() - began) / 1000)
      ok(lines.length > 0 && lines.length < 10 + seconds * linesPerSecond, lines.join('\n'))
      is(lines.filter(isRetry).length, 1)
      return lateAgent
    })
    await clock.advance(1000)
    await jobs.finished(running)
    const [part] = await jobs.parts(running, `?client=${busy}`)
    equal([part?.state, part?.output], ['success', `while ${name}`])
    // The agent that came meanwhile gets what was queued for it.
    await clock.advance(5000)
    await replyToNext(lateAgent, '/shell/run')
    is((await jobs.finished(queued))[0]?.state, 'success')
    equal(await statuses([['POST /client/update', { ip: idle, name }]]), [200])
    const gone = lab.event('client-gone', { addr: late })
    lateAgent.destroy()
    await gone
  })
}

test('a schedule that is due while the server is killed runs once when it is back, and its next run is made', async () => {
  const steps = [{ command: 'shell-run', params: { run: 'x', echo: false } }]
  equal(await statuses([['POST /procedure/add', { center: '1', name: 'Procedure', steps }]]), [200])
  equal(await statuses([['POST /task/add', { center: '1', name: 'Task', steps: [{ procedure: 1 }] }]]), [200])
  const days = { years: 0xffff_ffff, months: 0xfff, weeks: 0, week_days: 0, days: 0x7fff_ffff }
  const when = { ...days, hours: 1 << 9, am_pm: 0, minutes: 15 }
  equal(await statuses([['POST /schedule/create', { type: 'task', task: '1', name: 'daily', when }]]), [200])
  await during(faults.killed, async () => {
    const failed = lab.logged(new RegExp(`1 daily: not started, tried again each second: ${reasons}`))
    await clock.advanceTo('2026-03-02T09:15:30')
    await failed
  })
  const count = async () =>
    (await lab.call('GET /jobs')).json.jobs.filter(({ name }: { name: string }) => name === 'daily').length
  await pollUntil(async () => {
    await clock.advance(1000)
    return (await count()) > 0
  })
  await lab.logged(/1 daily: run started, late: it was due 2026-03-02T/)
  await clock.advance(5000)
  is(await count(), 1)
  is(lab.log.filter(line => line.includes('1 daily: not started')).length, 1)
  const created = lab.event('job-created', { name: 'daily' })
  await clock.advanceTo('2026-03-03T09:15:30')
  await created
})

test.run()

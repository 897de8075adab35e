// Logins and logouts that agents report: what of them becomes an event, and how many.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import type { FleetEvent } from '../../host/system/events.ts'
import { message } from '../../host/test-kit/agent-http.ts'
import { readEvents } from '../harness/event-reader.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.22' })
const { client } = testHost
const refresh = { status: 200, body: { status: 'LINUX' } }

/** `start ana`, in the sequence of the events so far. */
const sessions: string[] = []
testHost.host.events.on(
  (event: FleetEvent) => {
    if (!('user' in event)) return
    const locked = 'locked' in event && (event.locked ? 'lock' : 'unlock')
    sessions.push(`${locked || (event.type === 'session-login' ? 'start' : 'stop')} ${event.user}`)
  },
  ['session-login', 'session-logout', 'session-lock'],
)

const test = suite('session events')

test.before.each(() => {
  sessions.length = 0
})

test('the name of a user is cut at 64 characters and has no control characters', async () => {
  const agent = await testHost.agent('127.0.22.1', { refresh })
  const event = testHost.event('session-login')
  agent.event('start', `\u001b[31m\u202e${'x'.repeat(100_000)}`)
  is((await event).user, `[31m${'x'.repeat(58)}`)
})

test('a login or logout that equals the one before it is no event', async () => {
  const agent = await testHost.agent('127.0.22.2', { refresh })
  for (const action of ['start', 'start', 'stop', 'stop'] as const) agent.event(action, 'ana')
  const event = testHost.event('session-login', { user: 'last' })
  agent.event('start', 'last')
  await event
  equal(sessions, ['start ana', 'stop ana', 'start last'])
})

test('a session that is locked or unlocked is no login again, and a login is one that is not locked', async () => {
  const agent = await testHost.agent('127.0.22.7', { refresh })
  for (const locked of [true, true, false, true]) agent.event('start', 'ana', locked)
  const event = testHost.event('session-login', { user: 'last' })
  agent.event('start', 'last')
  await event
  equal(sessions, ['start ana', 'lock ana', 'unlock ana', 'lock ana', 'start last'])
})

test('of many logins in a second five are events, and the newest one later', async () => {
  const addr = '127.0.22.3'
  const agent = await testHost.agent(addr, { refresh })
  const last = testHost.event('session-logout', { user: 'last' })
  for (let index = 0; index < 1000; index += 1) agent.event(index % 2 === 0 ? 'start' : 'stop', `user-${index}`)
  agent.event('stop', 'last')
  await last
  equal(sessions, ['start user-0', 'stop user-1', 'start user-2', 'stop user-3', 'start user-4', 'stop last'])
  is((await client(addr))?.status, 'linux')
})

test('the newest login is an event also when the agent disconnects', async () => {
  const agent = await testHost.agent('127.0.22.4', { refresh })
  const last = testHost.event('session-login', { user: 'last' })
  for (let index = 0; index < 10; index += 1) agent.event('start', `user-${index}`)
  agent.event('start', 'last')
  await agent.close()
  await last
  is(sessions.length, 6)
})

test('a reader of job events gets all of them while an agent sends 100,000 logins and logouts', async () => {
  const { rest: port } = testHost.host.ports
  const jobReader = await readEvents(port, '?type=job-finished')
  const sessionReader = await readEvents(port, '?type=session')
  const flooding = await testHost.agent('127.0.22.5', { refresh })
  const agent = await testHost.agent('127.0.22.6', { auto: { '*': { status: 200 } } })
  const logins = Array.from({ length: 1000 }, (_, index) =>
    message(103, { event: 'session', action: index % 2 === 0 ? 'start' : 'stop', user: `user-${index}` }),
  )
  const flood = logins.join('')
  const jobs: number[] = []
  for (let round = 0; round < 100; round += 1) {
    flooding.send(flood)
    if (round % 10 > 0) continue
    const payload = { clients: [agent.addr], run: 'true', echo: true }
    jobs.push(jobIdOf(await testHost.call('POST /shell/run', payload)))
  }
  flooding.event('stop', 'last')
  await sessionReader.first({ user: 'last' })
  for (const job of jobs) await jobReader.first({ job })
  is(jobReader.events.length, 10)
  ok(sessions.length < 200, `${sessions.length} events of one agent`)
  jobReader.close()
  sessionReader.close()
})

test.after(() => testHost.stop())
test.run()

// Logins that the agent for Linux reports, as loginctl lists them.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { startAgentsPort } from '../harness/agents-port.ts'
import { endPrograms } from '../harness/daemon-process.ts'
import { startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'

const server = await startAgentsPort()
const fixture = createLinuxFixture()
fixture.login('c1', 'gdm', 'greeter')
fixture.login('2', 'ana')
const options = { port: server.port, addr: '127.0.45.1', fixture, more: { hello: 'no' } }
const agent = startLinuxAgent(options)
await agent.waitFor(/connected to/)
let daemon = await server.connection()

/** The next `count` messages, which are events. */
async function events(count: number): Promise<string[]> {
  const texts: string[] = []
  for (let number = 0; number < count; number += 1) {
    const { status, body } = await daemon.next()
    const { event, action, user, locked } = Object.assign({ event: '', action: '', user: '', locked: false }, body)
    texts.push(`${status} ${event} ${action} ${user}${locked ? ' locked' : ''}`)
  }
  return texts
}

const test = suite('logins')
test.after(async () => {
  await endPrograms()
  await server.stop()
  fixture.remove()
})

test('who is logged in is reported after the first refresh; login screens are not', async () => {
  daemon.request('GET /refresh')
  const { status } = await daemon.next()
  equal([status, ...(await events(1))], [200, '103 session start ana'])
})

test('a second session of a user is no event, a second user is one', async () => {
  fixture.login('3', 'ana')
  fixture.login('4', 'eva')
  equal(await events(1), ['103 session start eva'])
})

test('a logout is followed by a login of who is left', async () => {
  fixture.logout('4')
  equal(await events(2), ['103 session stop eva', '103 session start ana'])
})

test('the last session of a user ends the login', async () => {
  fixture.logout('2')
  fixture.logout('3')
  equal(await events(1), ['103 session stop ana'])
})

test('a session that is closing is no login, although processes of it are left', async () => {
  fixture.login('4', 'eva')
  equal(await events(1), ['103 session start eva'])
  fixture.login('4', 'eva', 'user', 'closing')
  equal(await events(1), ['103 session stop eva'])
  fixture.logout('4')
})

test('a user whose sessions are all locked is locked until one is not', async () => {
  const [locked, open] = ['yes', 'no'].map(
    word => (session: string) => fixture.login(session, 'eva', 'user', 'active', word),
  )
  locked?.('8')
  equal(await events(1), ['103 session start eva locked'])
  open?.('9')
  equal(await events(1), ['103 session start eva'])
  locked?.('9')
  equal(await events(1), ['103 session start eva locked'])
  // Who is not locked comes last.
  fixture.login('7', 'ana')
  equal(await events(1), ['103 session start ana'])
  daemon.close()
  daemon = await server.connection()
  daemon.request('GET /refresh')
  await daemon.next()
  equal(await events(2), ['103 session start eva locked', '103 session start ana'])
  for (const session of ['8', '9']) fixture.logout(session)
  equal(await events(2), ['103 session stop eva', '103 session start ana'])
  fixture.logout('7')
  equal(await events(1), ['103 session stop ana'])
})

test('events come in the middle of a command', async () => {
  daemon.request('POST /shell/run', { run: 'sleep 600', echo: true })
  fixture.login('5', 'eva')
  equal(await events(1), ['103 session start eva'])
  daemon.request('POST /stop')
  equal((await daemon.next()).status, 500)
})

test('a new connection gets who is logged in, after its refresh', async () => {
  daemon.close()
  daemon = await server.connection()
  daemon.request('GET /refresh')
  equal([(await daemon.next()).status, ...(await events(1))], [200, '103 session start eva'])
})

test('a loginctl that fails is logged once, and no logout', async () => {
  fixture.program('loginctl', '#!/bin/sh\necho "no bus" >&2\nexit 1\n')
  fixture.login('7', 'ana')
  await agent.waitFor(/logins are not reported: loginctl: no bus/)
  daemon.request('POST /probe')
  equal((await daemon.next()).status, 200)
})

test.run()

// The agent for Linux on the wire: what it sends unasked, and requests that come while it is busy or that no daemon sends.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { type AgentConnection, startAgentsPort } from '../harness/agents-port.ts'
import { endPrograms } from '../harness/daemon-process.ts'
import { startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { pollUntil } from '../harness/poll.ts'
import { isRunning } from '../harness/running-process.ts'

const fixture = createLinuxFixture()
const server = await startAgentsPort()
const recorded = fixture.record('shutdown')
const options = { port: server.port, addr: '127.0.41.1', fixture }
const agent = startLinuxAgent({ ...options, more: { 'poweroff-command': `echo off >> ${recorded}` } })
await agent.waitFor(/connected to/)
let daemon = await server.connection()
const hello = await daemon.next()

const sleeper = fixture.record('sleeper')

/** Starts a script whose child ignores SIGTERM. Resolves to the child's process id. */
async function startScript(connection: AgentConnection): Promise<number> {
  const child = `trap '' TERM; echo $$ > ${sleeper}.new; mv ${sleeper}.new ${sleeper}; sleep 600`
  connection.request('POST /shell/run', { run: `sh -c "${child.replaceAll('$', '\\$')}" & wait`, echo: true })
  await pollUntil(() => existsSync(sleeper))
  const pid = Number(readFileSync(sleeper, 'utf8'))
  rmSync(sleeper)
  return pid
}

/** A request and its reply. */
async function ask(route: string, body?: object) {
  daemon.request(route, body)
  return daemon.next()
}

const test = suite('requests to the agent for Linux')
test.after(async () => {
  await endPrograms()
  await server.stop()
  fixture.remove()
})

test('it introduces itself when it has connected', () => {
  const { agent: name, ...own } = Object.assign({ agent: '' }, hello.body)
  is(hello.status, 103)
  equal(own, {
    event: 'hello',
    name: 'lab-r01-c07',
    mac: '00:1b:21:0a:0b:0c',
    serial: 'SN0042',
    os: 'Debian GNU/Linux 12 (bookworm)',
    keys: ['pieces', 'timeout'],
  })
  match(name, /^fleet-agent \d+\.\d+\.\d+$/)
})

test('its messages are HTTP/1.0 with the length in bytes, and have no header without a body', async () => {
  const before = daemon.received().length
  await ask('GET /run/schedule')
  is(daemon.received().slice(before), 'HTTP/1.0 200 OK\r\n\r\n')
  const start = daemon.received().length
  await ask('POST /shell/run', { run: 'printf ñ', echo: true })
  const text = '{"out":"ñ","status":0}'
  const fields = `Content-Length: ${Buffer.byteLength(text)}\r\nContent-Type: application/json\r\n`
  is(daemon.received().slice(start), `HTTP/1.0 200 OK\r\n${fields}\r\n${text}`)
})

test('requests may come byte by byte, or several in one packet', async () => {
  const bytes = Buffer.from('POST /probe HTTP/1.1\r\nContent-Length: 0\r\nContent-Type: application/json\r\n\r\n')
  for (const byte of bytes) {
    daemon.send(Buffer.of(byte))
    await new Promise(setImmediate)
  }
  is((await daemon.next()).status, 200)
  daemon.send(Buffer.concat([bytes, bytes]))
  equal([(await daemon.next()).status, (await daemon.next()).status], [200, 200])
})

test('a probe has the status and the speed', async () => {
  equal(await ask('POST /probe'), { status: 200, body: { status: 'LINUX', speed: 2500 } })
})

test('an unknown path and a script that is missing are 400', async () => {
  for (const route of ['POST /nothing', 'POST /image/create', 'POST /shell/run', 'GET /software', 'GET /probe'])
    equal(await ask(route), { status: 400, body: undefined }, route)
})

test('while a script runs a probe is 202 with BSY, any other request 503; stop kills all and the script is 500', async () => {
  const child = await startScript(daemon)
  equal(await ask('POST /probe'), { status: 202, body: { status: 'BSY', speed: 2500 } })
  equal(await ask('GET /refresh'), { status: 503, body: undefined })
  equal(await ask('GET /run/schedule'), { status: 503, body: undefined })
  daemon.request('POST /stop')
  equal(await daemon.next(), { status: 500, body: undefined })
  is(isRunning(child), false)
  is((await ask('POST /probe')).status, 200)
})

test('stop while nothing runs has no effect and no reply', async () => {
  daemon.request('POST /stop')
  equal(await ask('GET /run/schedule'), { status: 200, body: undefined })
})

test('poweroff is answered with 202 first, then its command runs, and a script that it has ended is not answered', async () => {
  daemon.request('POST /shell/run', { run: 'sleep 600', echo: true })
  is((await ask('POST /probe')).status, 202)
  equal(await ask('POST /poweroff'), { status: 202, body: undefined })
  await pollUntil(() => existsSync(recorded) && readFileSync(recorded, 'utf8') === 'off\n')
  is((await ask('POST /probe')).status, 200)
})

test('a reboot whose command fails is answered with 202 and then with 500', async () => {
  equal(await ask('POST /reboot'), { status: 202, body: undefined })
  equal(await daemon.next(), { status: 500, body: undefined })
  await agent.waitFor(/error: false: exit code 1/)
})

test('a request that is no HTTP closes the connection, and the agent connects again', async () => {
  daemon.send('hello\r\n\r\n')
  await daemon.closed
  daemon = await server.connection()
  is((await daemon.next()).status, 103)
  is((await ask('POST /probe')).status, 200)
})

test('a lost connection kills what the script has started', async () => {
  const child = await startScript(daemon)
  ok(isRunning(child))
  daemon.close()
  await pollUntil(() => !isRunning(child))
  daemon = await server.connection()
  await daemon.next()
  is((await ask('POST /probe')).status, 200)
})

test('SIGTERM ends the agent and kills what its script has started', async () => {
  const child = await startScript(daemon)
  agent.kill('SIGTERM')
  is((await agent.ended).code, 0)
  await pollUntil(() => !isRunning(child))
})

test.run()

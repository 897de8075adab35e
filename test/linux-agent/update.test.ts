// Updates of the agent for Linux on the wire: what it replies, which program runs afterwards, and what its folder has.
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { newerCode, updateTo } from '../harness/agent-programs.ts'
import { agentCode } from '../harness/linux-agent.ts'
import { isRunning } from '../harness/running-process.ts'
import { startUpdateLab } from '../harness/update-lab.ts'

const own = await startUpdateLab('127.0.47.1', 30)
const { files, fixture } = own
const beside = (prefix: string) => join(own.folder, `${prefix}-fleet-agent.js`)
const [next, previous] = [beside('new'), beside('old')]
const agent = own.start()
const first = await own.hello()
let daemon = first.connection

/** A request and its reply. */
async function ask(route: string, body?: object) {
  daemon.request(route, body)
  return daemon.next()
}

const reasonOf = (body: unknown) => Object.assign({ reason: '' }, body).reason

const test = suite('update of the agent for Linux')
test.after(() => own.stop())

test('an agent that has the program already replies 200 at once and downloads nothing', async () => {
  equal(await ask('POST /agent/update', updateTo(agentCode)), { status: 200, body: undefined })
  is(files.requests(), 0)
})

test('a request that lacks something is 400 with the reason', async () => {
  for (const [more, reason] of [
    [{ path: 'http://elsewhere/' }, /^path: /],
    [{ sha256: 'A' }, /^sha256: /],
    [{ size: 0 }, /^size: /],
    [{ size: 1e9 }, /^size: expected 1 to 4194304 bytes, got 1000000000/],
    [{ version: 1 }, /^version: /],
  ] as const) {
    const { status, body } = await ask('POST /agent/update', updateTo(newerCode, more))
    is(status, 400)
    match(reasonOf(body), reason)
  }
  is((await ask('POST /agent/update')).status, 400)
})

const beginning = newerCode.slice(0, 1000)

for (const [name, respond, reason] of [
  ['with another digest', (_, response) => response.end(newerCode.replace('e', 'f')), /expected SHA-256 \w+, got \w+$/],
  ['that is too short', (_, response) => response.end(beginning), /expected \d+ bytes, got 1000$/],
  ['that is too long', (_, response) => response.end(`${newerCode} `), /expected \d+ bytes, got more$/],
  [
    'whose connection ends early',
    (_, response) => {
      response.writeHead(200, { 'Content-Length': newerCode.length })
      response.write(beginning, () => response.destroy())
    },
    /aborted$/,
  ],
  ['that is not there', (_, response) => response.writeHead(404).end(), /expected status 200, got 404$/],
  ['that is elsewhere', (_, r) => r.writeHead(302, { Location: '/' }).end(), /expected status 200, got 302$/],
] satisfies [string, Parameters<typeof files.serve>[0], RegExp][]) {
  test(`a program ${name} is 502 with the reason, and the agent stays`, async () => {
    files.serve(respond)
    const { status, body } = await ask('POST /agent/update', updateTo(newerCode))
    is(status, 502)
    match(reasonOf(body), new RegExp(`^${files.url}/agent/fleet-agent.js: `))
    match(reasonOf(body), reason)
    equal(own.listing(), ['fleet-agent.js'])
    is((await ask('POST /probe')).status, 200)
  })
}

test('a program that cannot be written is 500 with the reason, and the present one stays', async () => {
  files.serve(newerCode)
  mkdirSync(next)
  const { status, body } = await ask('POST /agent/update', updateTo(newerCode))
  is(status, 500)
  match(reasonOf(body), /new-fleet-agent\.js/)
  rmSync(next, { recursive: true })
  is(own.installed(), agentCode)
})

test('during the download a second update is 503, a probe 202, and stop ends it with 500', async () => {
  const requested = new Promise<IncomingMessage>(resolve => files.serve(resolve))
  daemon.request('POST /agent/update', updateTo(newerCode))
  const ended = once((await requested).socket, 'close')
  is((await ask('POST /agent/update', updateTo(newerCode))).status, 503)
  is((await ask('POST /probe')).status, 202)
  daemon.request('POST /stop')
  equal(await daemon.next(), { status: 500, body: undefined })
  await ended
  equal(own.listing(), ['fleet-agent.js'])
})

test('a connection that is lost during the download ends it', async () => {
  const requested = new Promise(resolve => files.serve(resolve))
  daemon.request('POST /agent/update', updateTo(newerCode))
  await requested
  daemon.close()
  daemon = (await own.hello()).connection
  equal(own.listing(), ['fleet-agent.js'])
  is((await ask('POST /probe')).status, 200)
})

test('a program that executes the first request replaces the old one, in the same process', async () => {
  match(first.name, /^fleet-agent (?!99)/)
  files.serve(newerCode)
  is((await ask('POST /agent/update', updateTo(newerCode))).status, 202)
  await daemon.closed
  const trial = await own.hello()
  is(trial.name, 'fleet-agent 99.0.0')
  trial.connection.request('GET /refresh')
  await trial.connection.closed
  const { connection, name } = await own.hello()
  daemon = connection
  is(name, 'fleet-agent 99.0.0')
  is((await ask('GET /refresh')).status, 200)
  is(isRunning(agent.pid), true)
  is(own.installed(), newerCode)
  is(readFileSync(previous, 'utf8'), agentCode)
  is(statSync(own.program).mode & 0o777, 0o755)
  equal(own.listing(), ['fleet-agent.js', 'old-fleet-agent.js'])
  is((await ask('POST /agent/update', updateTo(newerCode))).status, 200)
})

test('the new program executes commands, reports logins, and can be replaced by the old one', async () => {
  const { body } = await ask('POST /shell/run', { run: 'echo $FLEET_AGENT_TRIAL $PPID', echo: true })
  equal(body, { out: `${agent.pid}\n`, status: 0 })
  fixture.login('1', 'ana')
  equal((await daemon.next()).body, { event: 'session', action: 'start', user: 'ana' })
  files.serve(agentCode)
  is((await ask('POST /agent/update', updateTo(agentCode))).status, 202)
  const trial = await own.hello()
  trial.connection.request('GET /refresh')
  const { connection, name } = await own.hello()
  daemon = connection
  match(name, /^fleet-agent (?!99)/)
  is(own.installed(), agentCode)
  is((await ask('GET /refresh')).status, 200)
  equal((await daemon.next()).body, { event: 'session', action: 'start', user: 'ana' })
})

test('one SIGTERM ends an agent that was replaced twice, with one line', async () => {
  agent.kill('SIGTERM')
  is((await agent.ended).code, 0)
  is(agent.output().match(/ended by SIGTERM/g)?.length, 1)
})

test.run()

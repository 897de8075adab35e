// POST /agent/update: the daemon gives its agents the program that it serves, and GET /agents shows what they have.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { version } from '../../host/system/version.ts'
import { newerCode } from '../harness/agent-programs.ts'
import { endPrograms } from '../harness/daemon-process.ts'
import { freePort } from '../harness/free-port.ts'
import { agentCode, startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'
import { tlsFiles, transport } from '../harness/transport.ts'

const current = `fleet-agent ${version}`
const fixture = createLinuxFixture()
const folder = mkdtempSync(join(tmpdir(), 'update-by-daemon-'))

/** An agent with another program than the daemon's, connected and refreshed. */
async function startOldAgent(lab: TestHost, addr: string, more: Record<string, string> = {}) {
  const program = join(folder, `${addr}.js`)
  writeFileSync(program, newerCode)
  await lab.addComputer(addr)
  const refreshed = lab.event('command-ended', { addr, command: 'refresh', result: 'success' })
  const agent = startLinuxAgent({ port: lab.host.ports.agents, addr, fixture, program, more })
  await refreshed
  return { agent, program }
}

/** How the update ended. */
async function update(lab: TestHost, addr: string): Promise<string> {
  const ended = lab.event('command-ended', { addr, command: 'agent-update' })
  is((await lab.call('POST /agent/update', { clients: [addr] })).status, 200)
  const { result, reason } = await ended
  return reason === undefined ? result : `${result}: ${reason}`
}

const agentOf = async (lab: TestHost, addr: string): Promise<string | undefined> => {
  const { agents } = (await lab.call('GET /agents')).json
  return agents.find(({ clients }: { clients: string[] }) => clients.includes(addr))?.agent
}

for (const isSecure of [false, true]) {
  const addr = `127.0.49.${isSecure ? 2 : 1}`
  const test = suite(`update by a daemon with ${isSecure ? 'HTTPS' : 'HTTP'}`)
  let lab: TestHost
  test.before(async () => {
    transport.isSecure = isSecure
    const port = await freePort()
    lab = await startTestHost({ options: { rest: { port, ...(isSecure && { tls: tlsFiles }) } } })
  })
  test.after(async () => {
    await lab.stop()
    transport.isSecure = false
  })

  test('the agent gets the program of the daemon, and a second update changes nothing', async () => {
    const { agent, program } = await startOldAgent(lab, addr)
    is(await agentOf(lab, addr), 'fleet-agent 99.0.0')
    const again = lab.event('command-ended', { addr, command: 'refresh', result: 'success' })
    is(await update(lab, addr), 'success')
    await again
    equal((await lab.call('GET /agents')).json, { current, agents: [{ agent: current, clients: [addr] }] })
    is(readFileSync(program, 'utf8'), agentCode)
    is(await update(lab, addr), 'success')
    is(agent.output().match(/going on with/g)?.length, 1)
    agent.kill('SIGTERM')
    await agent.ended
  })
  test.run()
}

const test = suite('update by a daemon')
let lab: TestHost
let other: TestHost | undefined
test.before(async () => {
  lab = await startTestHost()
})
test.after(async () => {
  await endPrograms()
  await lab.stop()
  await other?.stop()
  fixture.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('what the agent says of a failure is the reason of its part', async () => {
  const url = `http://127.0.0.1:${await freePort()}/fleet/`
  await startOldAgent(lab, '127.0.49.3', { url })
  is(
    await update(lab, '127.0.49.3'),
    `failure: agent replied 502: ${url}agent/fleet-agent.js: connect ECONNREFUSED ${new URL(url).host}`,
  )
  is(await agentOf(lab, '127.0.49.3'), 'fleet-agent 99.0.0')
})

for (const [status, addr] of [
  [400, '127.0.49.4'],
  [404, '127.0.49.5'],
] as const) {
  test(`an agent of the family, which replies ${status}, is a failure that says why`, async () => {
    await lab.addComputer(addr)
    await lab.agent(addr, { auto: { '/refresh': { status: 200 }, '*': { status } } })
    is(await update(lab, addr), `failure: agent replied ${status}: this agent cannot be updated from here`)
  })
}

test('what an agent says of a failure is made printable and cut', async () => {
  const addr = '127.0.49.6'
  await lab.addComputer(addr)
  const body = { reason: `no\u001b[31m\nspace ${'x'.repeat(300)}` }
  await lab.agent(addr, { auto: { '/refresh': { status: 200 }, '*': { status: 507, body } } })
  match(await update(lab, addr), /^failure: agent replied 507: no\[31m space x{180,200}$/)
})

test('a step of a procedure after an update is sent when the new program has connected', async () => {
  const addr = '127.0.49.7'
  const host = await startTestHost({ options: { rest: { port: await freePort() } } })
  other = host
  await startOldAgent(host, addr)
  const steps = [
    { command: 'agent-update', params: {} },
    { command: 'shell/run', params: { run: 'echo $PPID', echo: true } },
  ]
  await host.call('POST /procedure/add', { center: '1', name: 'Update', steps })
  const ended = ['agent-update', 'shell-run'].map(command => host.event('command-ended', { addr, command }))
  is((await host.call('POST /procedure/run', { clients: [addr], procedure: '1' })).status, 200)
  equal(
    (await Promise.all(ended)).map(({ result, reason }) => [result, reason]),
    [
      ['success', undefined],
      ['success', undefined],
    ],
  )
  is(await agentOf(host, addr), current)
})

test.run()

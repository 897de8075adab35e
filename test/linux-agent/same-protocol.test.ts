// One table of the agent protocol, for two programs: the simulated agent, which stands for those of the family, and the agent for Linux.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { endPrograms } from '../harness/daemon-process.ts'
import { type LinuxComputer, realComputer, simulatedComputer } from '../harness/linux-computer.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { isRunning } from '../harness/running-process.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { seconds: 11 }

const fixture = createLinuxFixture()
const commands = fixture.record('commands')
mkdirSync(commands)
const clients = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } }
const forward = { to: 'POST /shell/run', deadline: 0.5, reply: { type: 'object' } }
const slow = { summary: 'Run a script for too long', route: 'POST /slow', payload: clients, forward }
writeFileSync(join(commands, 'slow.ts'), `export default ${JSON.stringify(slow)}`)
const lab = await startTestHost({ options: { commands: [commands] } })

/** Of processes that scripts of the agent for Linux have started in the background. */
const sleepers: number[] = []

interface ClientJson {
  addr: string
  status: string
  speed: number
}

async function client(addr: string): Promise<ClientJson | undefined> {
  const { clients }: { clients: ClientJson[] } = (await lab.call('GET /clients')).json
  return clients.find(each => each.addr === addr)
}

/** Starts a script and resolves when it runs; `interrupted` is how it ends. */
async function startSleeping(computer: LinuxComputer): Promise<{ interrupted: Promise<string> }> {
  const interrupted = outcomeOf(lab.event('command-ended', { addr: computer.addr }))
  await lab.call('POST /shell/run', { clients: [computer.addr], ...script(computer.sleepScript) })
  sleepers.push(...(await computer.sleeps()))
  return { interrupted }
}

/** Sends a command and resolves when it has ended. */
async function run({ addr }: LinuxComputer, route: string, payload: object = {}) {
  const ended = lab.event('command-ended', { addr })
  await lab.call(route, { clients: [addr], ...payload })
  return outcomeOf(ended)
}

async function outcomeOf(ended: Promise<{ result: string; reason?: string }>): Promise<string> {
  const { result, reason } = await ended
  return reason === undefined ? result : `${result}: ${reason}`
}

const outputOf = async ({ addr }: LinuxComputer) =>
  (await lab.call('POST /shell/output', { clients: [addr] })).json.clients[0].output

const script = (text: string, echo = true) => ({ run: text, echo })

const slots = [1, 2, 3, 4].map(partition => ({ partition, code: 'LINUX', filesystem: 'EXT4', size: 9000, format: 1 }))
const setup = { type: 'GPT', disk: '1', cache: '0', cache_size: '0', partition_setup: slots }
const target = { disk: '1', partition: '2', type: 'UNICAST' }
const restore = { ...target, name: 'a', repository: '127.0.0.1', profile: '1', id: '1' }

/** By the sentence that each of them tests, in this order, with one computer that is connected. */
const protocol: Record<string, (computer: LinuxComputer) => Promise<void>> = {
  async 'its first refresh says that Linux runs'({ addr }) {
    is((await client(addr))?.status, 'linux')
  },
  async 'a probe brings its status and speed'(computer) {
    is(await run(computer, 'POST /clients'), 'success')
    equal([(await client(computer.addr))?.status, (await client(computer.addr))?.speed], ['linux', 2500])
  },
  async 'a script with echo returns what it prints'(computer) {
    is(await run(computer, 'POST /shell/run', script('echo hello')), 'success')
    is(await outputOf(computer), 'hello\n')
  },
  async 'a script and its output may have any characters'(computer) {
    is(await run(computer, 'POST /shell/run', script('echo ñ€😀')), 'success')
    is(await outputOf(computer), 'ñ€😀\n')
  },
  async 'a script without echo returns nothing'(computer) {
    is(await run(computer, 'POST /shell/run', script('echo hello', false)), 'success')
    is(await outputOf(computer), '')
  },
  async 'a busy client is skipped, and stop ends what it runs'(computer) {
    const { interrupted } = await startSleeping(computer)
    const skipped = await lab.call('POST /shell/run', { clients: [computer.addr], ...script('echo hello') })
    const { parts } = (await lab.call(`GET /jobs/${skipped.headers['x-job-id']}`)).json
    is(parts[0].reason, 'busy')
    const stopped = lab.event('command-ended', { addr: computer.addr, command: 'stop' })
    await lab.call('POST /stop', { clients: [computer.addr] })
    is(await interrupted, 'failure: interrupted by stop')
    is((await stopped).result, 'success')
    is(await run(computer, 'POST /shell/run', script('echo hello')), 'success')
  },
  async 'it takes the inventories of hardware and software'(computer) {
    is(await run(computer, 'POST /hardware'), 'success')
    is(await run(computer, 'POST /software', { disk: '1', partition: '2' }), 'success')
  },
  async 'a queued command comes after GET /run/schedule, when it is free'(computer) {
    const { addr } = computer
    const { interrupted } = await startSleeping(computer)
    await lab.call('POST /shell/run?queue=1', { clients: [addr], ...script('echo hello') })
    const opened = lab.event('command-ended', { addr, command: 'run-schedule' })
    const ended = lab.event('command-ended', { addr, command: 'shell-run', result: 'success' })
    await lab.call('POST /stop', { clients: [addr] })
    await Promise.all([interrupted, opened, ended])
    is(await outputOf(computer), 'hello\n')
  },
  async 'what only a live system can do is not sent, or 400'(computer) {
    for (const [route, payload] of Object.entries({ 'POST /setup': setup, 'POST /image/restore': restore })) {
      const ended = lab.event('job-part', { addr: computer.addr })
      await lab.call(route, { clients: [computer.addr], ...payload })
      const { state, reason } = await ended
      equal([state, reason], ['skipped', 'runs Linux, not the live system'])
    }
    is(await run(computer, 'POST /session', { disk: '1', partition: '2' }), 'failure: agent replied 400')
  },
  async 'logins and logouts are events'({ addr, login, logout }) {
    const loggedIn = lab.event('session-login', { addr, user: 'ana' })
    login('ana')
    await loggedIn
    is((await client(addr))?.status, 'linux-session')
    const loggedOut = lab.event('session-logout', { addr })
    logout()
    await loggedOut
    is((await client(addr))?.status, 'linux')
  },
  async 'a script fails when the connection is lost, and the agent can connect again'(computer) {
    const { interrupted } = await startSleeping(computer)
    await computer.crash()
    is(await interrupted, 'failure: connection lost')
    await computer.start()
    is(await run(computer, 'POST /shell/run', script('echo hello')), 'success')
  },
  async 'a reboot is a success when the connection is lost, also while a script runs'(computer) {
    const { addr } = computer
    const ended = ['shell-run', 'reboot'].map(command => lab.event('command-ended', { addr, command }))
    await startSleeping(computer)
    await lab.call('POST /reboot', { clients: [addr] })
    const outcomes = (await Promise.all(ended)).map(({ result, reason }) => [result, reason])
    equal(outcomes, [
      ['failure', 'interrupted by reboot'],
      ['success', undefined],
    ])
    await computer.start()
  },
  async 'after its deadline a script still runs: the next command is refused until it is stopped'(computer) {
    const { addr } = computer
    is(await run(computer, 'POST /slow', script(computer.sleepScript)), 'failure: no answer in time')
    sleepers.push(...(await computer.sleeps()))
    computer.setOverdue()
    is(await run(computer, 'POST /shell/run', script('echo hello')), 'failure: agent replied 503')
    is((await client(addr))?.status, 'busy')
    is(await run(computer, 'POST /stop'), 'success')
    is(await run(computer, 'POST /clients'), 'success')
    is((await client(addr))?.status, 'linux')
    is(await run(computer, 'POST /shell/run', script('echo hello')), 'success')
  },
  async 'without its record it is pending, and it is adopted without a new connection'({ addr }) {
    const pending = async () => (await lab.call('GET /pending')).json.pending.length
    await lab.call('POST /client/delete', { clients: [addr] })
    is(await pending(), 1)
    const refreshed = lab.event('command-ended', { addr, command: 'refresh' })
    const values = { names: { [addr]: `pc-${addr}` }, macs: { [addr]: `02000000004${addr.at(-1)}` } }
    is((await lab.call('POST /client/adopt', { clients: [addr], room: 1, ...values })).status, 200)
    is((await refreshed).result, 'success')
    is(await pending(), 0)
  },
  async 'a poweroff is a success when the connection is lost, also while a script runs'(computer) {
    const { addr } = computer
    const gone = lab.event('client-gone', { addr })
    const ended = ['shell-run', 'poweroff'].map(command => lab.event('command-ended', { addr, command }))
    await startSleeping(computer)
    await lab.call('POST /poweroff', { clients: [addr] })
    const outcomes = (await Promise.all(ended)).map(({ result, reason }) => [result, reason])
    equal(outcomes, [
      ['failure', 'interrupted by poweroff'],
      ['success', undefined],
    ])
    await gone
  },
}

const programs = {
  'simulated agent': simulatedComputer(lab, '127.0.40.1'),
  'agent for Linux': realComputer(lab, '127.0.40.2', fixture),
}

for (const [name, computer] of Object.entries(programs)) {
  const test = suite(name)
  test.before(async () => {
    await lab.addComputer(computer.addr)
    await computer.start()
  })
  for (const [sentence, check] of Object.entries(protocol)) test(`${name}: ${sentence}`, () => check(computer))
  test.run()
}

const end = suite('end')
end('stop, reboot and poweroff have killed what the scripts of the agent for Linux had started', () => {
  const [stopped = 0, stoppedNext = 0, left = 0, ...others] = sleepers
  const ended = [stopped, stoppedNext, ...others]
  equal(
    ended.map(isRunning),
    ended.map(() => false),
  )
  // The second agent was killed itself: only the service manager can end what it has left.
  if (isRunning(left)) process.kill(left)
})
end.after(async () => {
  await endPrograms()
  await lab.stop()
  fixture.remove()
})
end.run()

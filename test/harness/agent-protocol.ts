// One table of the agent protocol, for the simulated agent, which stands for those of the family, and for ours.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { equal, is } from 'uvu/assert'
import type { TestedComputer } from './linux-computer.ts'
import { startTestHost, type TestHost } from './test-host.ts'

const clients = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } }
const forward = { to: 'POST /shell/run', deadline: 0.5, reply: { type: 'object' } }
const slow = { summary: 'Run a script for too long', route: 'POST /slow', payload: clients, forward }

/** A host with a command whose script may take half a second, in the folder. */
export function startProtocolHost(commands: string): Promise<TestHost> {
  mkdirSync(commands)
  writeFileSync(join(commands, 'slow.ts'), `export default ${JSON.stringify(slow)}`)
  return startTestHost({ options: { commands: [commands] } })
}

/** Of processes that scripts have started in the background. */
export const sleepers: number[] = []

interface ClientJson {
  addr: string
  status: string
  speed: number
}

const script = (text: string, echo = true) => ({ run: text, echo })

const slots = [1, 2, 3, 4].map(partition => ({ partition, code: 'LINUX', filesystem: 'EXT4', size: 9000, format: 1 }))
const setup = { type: 'GPT', disk: '1', cache: '0', cache_size: '0', partition_setup: slots }
const target = { disk: '1', partition: '2', type: 'UNICAST' }
const restore = { ...target, name: 'a', repository: '127.0.0.1', profile: '1', id: '1' }

async function client({ addr, lab }: TestedComputer): Promise<ClientJson | undefined> {
  const { clients }: { clients: ClientJson[] } = (await lab.call('GET /clients')).json
  return clients.find(each => each.addr === addr)
}

/** Starts a script and resolves when it runs; `interrupted` is how it ends. */
async function startSleeping(computer: TestedComputer): Promise<{ interrupted: Promise<string> }> {
  const { lab } = computer
  const interrupted = outcomeOf(lab.event('command-ended', { addr: computer.addr }))
  await lab.call('POST /shell/run', { clients: [computer.addr], ...script(computer.sleepScript) })
  sleepers.push(...(await computer.sleeps()))
  return { interrupted }
}

/** Sends a command and resolves when it has ended. */
async function run({ addr, lab }: TestedComputer, route: string, payload: object = {}) {
  const ended = lab.event('command-ended', { addr })
  await lab.call(route, { clients: [addr], ...payload })
  return outcomeOf(ended)
}

async function outcomeOf(ended: Promise<{ result: string; reason?: string }>): Promise<string> {
  const { result, reason } = await ended
  return reason === undefined ? result : `${result}: ${reason}`
}

const outputOf = async ({ addr, lab }: TestedComputer) =>
  (await lab.call('POST /shell/output', { clients: [addr] })).json.clients[0].output

/** By the sentence that each of them tests, in this order, with one computer that is connected. */
export const protocol: Record<string, (computer: TestedComputer) => Promise<void>> = {
  async 'its first refresh says which system runs'(computer) {
    is((await client(computer))?.status, computer.system.status)
  },
  async 'a probe brings its status and speed'(computer) {
    is(await run(computer, 'POST /clients'), 'success')
    equal([(await client(computer))?.status, (await client(computer))?.speed], [computer.system.status, 2500])
  },
  async 'a script with echo returns what it prints'(computer) {
    is(await run(computer, 'POST /shell/run', script('echo hello')), 'success')
    is(await outputOf(computer), `hello${computer.system.newline}`)
  },
  async 'a script and its output may have any characters'(computer) {
    is(await run(computer, 'POST /shell/run', script('echo ñ€😀')), 'success')
    is(await outputOf(computer), `ñ€😀${computer.system.newline}`)
  },
  async 'a script without echo returns nothing'(computer) {
    is(await run(computer, 'POST /shell/run', script('echo hello', false)), 'success')
    is(await outputOf(computer), '')
  },
  async 'a busy client is skipped, and stop ends what it runs'(computer) {
    const { lab } = computer
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
    const { addr, lab } = computer
    const { interrupted } = await startSleeping(computer)
    await lab.call('POST /shell/run?queue=1', { clients: [addr], ...script('echo hello') })
    const opened = lab.event('command-ended', { addr, command: 'run-schedule' })
    const ended = lab.event('command-ended', { addr, command: 'shell-run', result: 'success' })
    await lab.call('POST /stop', { clients: [addr] })
    await Promise.all([interrupted, opened, ended])
    is(await outputOf(computer), `hello${computer.system.newline}`)
  },
  async 'what only a live system can do is not sent, or 400'(computer) {
    const { lab } = computer
    const { name, refusal } = computer.system
    for (const [route, payload] of Object.entries({ 'POST /setup': setup, 'POST /image/restore': restore })) {
      const ended = lab.event('job-part', { addr: computer.addr })
      await lab.call(route, { clients: [computer.addr], ...payload })
      const { state, reason } = await ended
      equal([state, reason], ['skipped', `runs ${name}, not the live system`])
    }
    is(await run(computer, 'POST /session', { disk: '1', partition: '2' }), `failure: agent replied 400${refusal}`)
  },
  async 'logins and logouts are events'(computer) {
    const { addr, login, logout, system, lab } = computer
    const loggedIn = lab.event('session-login', { addr, user: 'ana' })
    login('ana')
    await loggedIn
    is((await client(computer))?.status, `${system.status}-session`)
    const loggedOut = lab.event('session-logout', { addr })
    logout()
    await loggedOut
    is((await client(computer))?.status, system.status)
  },
  async 'a script fails when the connection is lost, and the agent can connect again'(computer) {
    const { interrupted } = await startSleeping(computer)
    await computer.crash()
    is(await interrupted, 'failure: connection lost')
    await computer.start()
    is(await run(computer, 'POST /shell/run', script('echo hello')), 'success')
  },
  async 'a reboot is a success when the connection is lost, also while a script runs'(computer) {
    const { addr, lab } = computer
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
    is(await run(computer, 'POST /slow', script(computer.sleepScript)), 'failure: no answer in time')
    sleepers.push(...(await computer.sleeps()))
    computer.setOverdue()
    is(await run(computer, 'POST /shell/run', script('echo hello')), 'failure: agent replied 503')
    is((await client(computer))?.status, 'busy')
    is(await run(computer, 'POST /stop'), 'success')
    is(await run(computer, 'POST /clients'), 'success')
    is((await client(computer))?.status, computer.system.status)
    is(await run(computer, 'POST /shell/run', script('echo hello')), 'success')
  },
  async 'without its record it is pending, and it is adopted without a new connection'({ addr, lab }) {
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
    const { addr, lab } = computer
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

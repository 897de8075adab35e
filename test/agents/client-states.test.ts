// States and transitions: what GET /clients shows of each client, in which order, and who is skipped.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { type Lab, startLab } from '../harness/test-host.ts'

interface Entry {
  addr: string
  state: string
  speed?: number
  last_cmd: { result: string }
  status?: string
}

const listed = async (lab: Lab): Promise<Entry[]> => (await lab.call('GET /clients')).json.clients
const entry = async (lab: Lab, addr: string) => (await listed(lab)).find(one => one.addr === addr)
const run = (...clients: string[]) => ({ clients, run: 'true', echo: true })

const lab = await startLab()
const consoles = await startLab({ options: { rest: { port: 0, os_states: true } } })
const test = suite('clients')
test.after(() => lab.stop())

test('a connected agent is listed with address, state, speed, last_cmd and status', async () => {
  await lab.agent('127.0.1.1')
  equal(await entry(lab, '127.0.1.1'), {
    addr: '127.0.1.1',
    state: 'OPG',
    speed: 0,
    last_cmd: { result: 'success' },
    status: 'oglive',
  })
})

test('a new connection starts as live environment and is asked for a refresh at once', async () => {
  const agent = await lab.agent('127.0.1.2', { auto: false })
  const { method, path, body } = await agent.next()
  equal([method, path, body], ['GET', '/refresh', undefined])
  equal((await entry(lab, '127.0.1.2'))?.status, 'oglive')
  is((await entry(lab, '127.0.1.2'))?.state, 'BSY')
  is((await entry(lab, '127.0.1.2'))?.last_cmd.result, 'unknown')
})

test('connected agents are listed most recently connected first', async () => {
  for (const addr of ['127.0.1.11', '127.0.1.12', '127.0.1.13']) await lab.agent(addr)
  const order = (await listed(lab)).map(({ addr }) => addr).filter(addr => /1\.1[123]$/.test(addr))
  equal(order, ['127.0.1.13', '127.0.1.12', '127.0.1.11'])
})

test('a disconnected agent leaves the list', async () => {
  const agent = await lab.agent('127.0.1.3')
  const gone = lab.event('client-gone', { addr: '127.0.1.3' })
  await agent.close()
  await gone
  is(await entry(lab, '127.0.1.3'), undefined)
})

test('an older connection of the same address is closed, the new one is listed first', async () => {
  const older = await lab.agent('127.0.1.4')
  await lab.agent('127.0.1.5')
  const newer = await lab.agent('127.0.1.4')
  await older.closed
  const order = (await listed(lab)).map(({ addr }) => addr).filter(addr => /1\.[45]$/.test(addr))
  equal(order, ['127.0.1.4', '127.0.1.5'])
  await lab.call('POST /shell/run', run('127.0.1.4'))
  await newer.next('/shell/run')
})

test('the older connection of an address takes its running command with it', async () => {
  const older = await lab.agent('127.0.1.6')
  await lab.call('POST /shell/run', run('127.0.1.6'))
  await older.next('/shell/run')
  const ended = lab.event('command-ended', { addr: '127.0.1.6', command: 'shell-run' })
  await lab.agent('127.0.1.6')
  equal((await ended).reason, 'connection lost')
  is((await entry(lab, '127.0.1.6'))?.last_cmd.result, 'success')
})

test('a client whose last command is neither none nor probe is BSY', async () => {
  const agent = await lab.agent('127.0.1.7')
  await lab.call('POST /shell/run', run('127.0.1.7'))
  await agent.next('/shell/run')
  is((await entry(lab, '127.0.1.7'))?.state, 'BSY')
  is((await entry(lab, '127.0.1.7'))?.status, 'oglive')
})

test('a probe does not change the displayed state', async () => {
  const agent = await lab.agent('127.0.1.8')
  await lab.call('POST /clients', { clients: ['127.0.1.8'] })
  await agent.next('/probe')
  is((await entry(lab, '127.0.1.8'))?.state, 'OPG')
})

test('a command for a client with a last command is skipped silently', async () => {
  const agent = await lab.agent('127.0.1.9')
  await lab.call('POST /shell/run', run('127.0.1.9'))
  await agent.next('/shell/run')
  for (const route of ['POST /hardware', 'POST /clients', 'POST /refresh']) {
    is((await lab.call(route, { clients: ['127.0.1.9'] })).status, 200)
  }
  const ended = lab.event('command-ended', { addr: '127.0.1.9' })
  agent.answer(200)
  await ended
  await lab.call('POST /run/schedule', { clients: ['127.0.1.9'] })
  await agent.next('/run/schedule')
})

test('a busy status alone skips nothing', async () => {
  const agent = await lab.agent('127.0.1.10')
  await lab.call('POST /clients', { clients: ['127.0.1.10'] })
  await agent.next('/probe')
  const ended = lab.event('command-ended', { addr: '127.0.1.10' })
  agent.answer(200, { status: 'BSY' })
  await ended
  is((await entry(lab, '127.0.1.10'))?.state, 'BSY')
  await lab.call('POST /shell/run', run('127.0.1.10'))
  await agent.next('/shell/run')
})

const words: [word: string, state: string, status: string, osState: string][] = [
  ['OPG', 'OPG', 'oglive', 'OPG'],
  ['BSY', 'BSY', 'busy', 'BSY'],
  ['VDI', 'VDI', 'virtual', 'VDI'],
  ['LINUX', 'OFF', 'linux', 'LNX'],
  ['WIN', 'OFF', 'windows', 'WIN'],
]

test('the status of a probe is displayed as the specification says, its speed too', async () => {
  const agent = await lab.agent('127.0.1.20')
  for (const [index, [word, state, status]] of words.entries()) {
    await lab.call('POST /clients', { clients: ['127.0.1.20'] })
    await agent.next('/probe')
    const ended = lab.event('command-ended', { addr: '127.0.1.20' })
    agent.answer(200, { status: word, speed: 100 + index })
    await ended
    const shown = await entry(lab, '127.0.1.20')
    equal([shown?.state, shown?.status, shown?.speed], [state, status, 100 + index])
  }
})

test('a probe without speed leaves the speed as it was', async () => {
  const agent = await lab.agent('127.0.1.21')
  for (const answer of [{ status: 'OPG', speed: 1000 }, { status: 'OPG' }]) {
    const ended = lab.event('command-ended', { addr: '127.0.1.21', command: 'probe' })
    await lab.call('POST /clients', { clients: ['127.0.1.21'] })
    await agent.next('/probe')
    agent.answer(200, answer)
    await ended
  }
  is((await entry(lab, '127.0.1.21'))?.speed, 1000)
})

test('a login turns linux into a linux session, a logout back; a probe leaves the session as it is', async () => {
  for (const [addr, system] of [
    ['127.0.1.22', 'linux'],
    ['127.0.1.23', 'windows'],
  ] as const) {
    const agent = await lab.agent(addr, {
      refresh: { status: 200, body: { status: system === 'linux' ? 'LINUX' : 'WIN' } },
    })
    const probe = async () => {
      const ended = lab.event('command-ended', { addr, command: 'probe' })
      await lab.call('POST /clients', { clients: [addr] })
      await agent.next('/probe')
      agent.answer(200, { status: system === 'linux' ? 'LINUX' : 'WIN' })
      await ended
    }
    is((await entry(lab, addr))?.status, system)
    agent.event('start', 'ana')
    await probe()
    is((await entry(lab, addr))?.status, `${system}-session`)
    agent.event('stop', 'ana')
    await probe()
    is((await entry(lab, addr))?.status, system)
  }
})

test('a login in the live environment changes nothing, a broken event is logged', async () => {
  const agent = await lab.agent('127.0.1.24')
  agent.event('start', 'ana')
  agent.send('HTTP/1.0 103 Early Hints\r\nContent-Length: 3\r\n\r\n{]}')
  await lab.logged(/127\.0\.1\.24: 103 dropped/)
  equal(await entry(lab, '127.0.1.24'), {
    addr: '127.0.1.24',
    state: 'OPG',
    speed: 0,
    last_cmd: { result: 'success' },
    status: 'oglive',
  })
})

test('a login while a command runs leaves the command and its result as they are', async () => {
  const agent = await lab.agent('127.0.1.25', { refresh: { status: 200, body: { status: 'LINUX' } } })
  await lab.call('POST /shell/run', run('127.0.1.25'))
  await agent.next('/shell/run')
  const body = '{"event": "session", "action": "start", "user": "ana"}'
  const early = `HTTP/1.0 103 Early Hints\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const ended = lab.event('command-ended', { addr: '127.0.1.25' })
  // Both in one segment: neither may be lost.
  agent.send(`${early}HTTP/1.0 200 OK\r\nContent-Length: 12\r\n\r\n{"out":"hi"}`)
  is((await ended).result, 'success')
  is((await entry(lab, '127.0.1.25'))?.status, 'linux-session')
  const { json } = await lab.call('POST /shell/output', { clients: ['127.0.1.25'] })
  equal(json, { clients: [{ addr: '127.0.1.25', output: 'hi' }] })
})

test('the clients key of a request may name unknown addresses, these are skipped', async () => {
  const agent = await lab.agent('127.0.1.26')
  const { status, text } = await lab.call('POST /shell/run', run('10.9.9.9', '127.0.1.26', '10.9.9.8'))
  equal([status, text], [200, ''])
  equal((await agent.next('/shell/run')).body, { run: 'true', echo: true })
})

test.run()

const osStates = suite('option rest.os_states')
osStates.after(() => consoles.stop())

osStates('state tells the operating systems to consoles that know them', async () => {
  for (const [index, [word, , , osState]] of words.entries()) {
    const addr = `127.0.2.${index + 1}`
    const agent = await consoles.agent(addr, { refresh: { status: 200, body: { status: word } } })
    is((await entry(consoles, addr))?.state, osState)
    if (!['LINUX', 'WIN'].includes(word)) continue
    agent.event('start', 'ana')
    agent.send('HTTP/1.0 200 OK\r\n\r\n')
    await consoles.logged(new RegExp(`${addr}: answer 200 dropped`))
    is((await entry(consoles, addr))?.state, `${osState}S`)
  }
})

osStates.run()

// The status of a client: from probes, from session events, and with the option rest.os_states.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { scriptPayload, startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.20' })
const { client, output } = testHost
const osStatesHost = await startLab({ subnet: '127.0.2', options: { rest: { port: 0, os_states: true } } })

interface StatusWord {
  word: string
  state: string
  status: string
  /** The state with rest.os_states. */
  osState: string
}

const statusWords: StatusWord[] = [
  { word: 'OPG', state: 'OPG', status: 'oglive', osState: 'OPG' },
  { word: 'BSY', state: 'BSY', status: 'busy', osState: 'BSY' },
  { word: 'VDI', state: 'VDI', status: 'virtual', osState: 'VDI' },
  { word: 'LINUX', state: 'OFF', status: 'linux', osState: 'LNX' },
  { word: 'WIN', state: 'OFF', status: 'windows', osState: 'WIN' },
]

const test = suite('client status')

test('status and speed in the reply to a probe are displayed according to the specification', async () => {
  const addr = '127.0.20.1'
  const agent = await testHost.agent(addr)
  for (const [index, { word, state, status }] of statusWords.entries()) {
    await testHost.call('POST /clients', { clients: [addr] })
    await agent.next('/probe')
    const ended = testHost.event('command-ended', { addr })
    agent.answer(200, { status: word, speed: 100 + index })
    await ended
    const entry = await client(addr)
    equal([entry?.state, entry?.status, entry?.speed], [state, status, 100 + index])
  }
})

test('a reply to a probe without speed does not change the speed', async () => {
  const addr = '127.0.20.2'
  const agent = await testHost.agent(addr)
  for (const reply of [{ status: 'OPG', speed: 1000 }, { status: 'OPG' }]) {
    const ended = testHost.event('command-ended', { addr, command: 'probe' })
    await testHost.call('POST /clients', { clients: [addr] })
    await agent.next('/probe')
    agent.answer(200, reply)
    await ended
  }
  is((await client(addr))?.speed, 1000)
})

test('a login changes linux to linux-session, a logout back, and a probe keeps the session', async () => {
  for (const [addr, system, word] of [
    ['127.0.20.3', 'linux', 'LINUX'],
    ['127.0.20.4', 'windows', 'WIN'],
  ] as const) {
    const agent = await testHost.agent(addr, { refresh: { status: 200, body: { status: word } } })
    const probe = async () => {
      const ended = testHost.event('command-ended', { addr, command: 'probe' })
      await testHost.call('POST /clients', { clients: [addr] })
      await agent.next('/probe')
      agent.answer(200, { status: word })
      await ended
    }
    is((await client(addr))?.status, system)
    agent.event('start', 'ana')
    await probe()
    is((await client(addr))?.status, `${system}-session`)
    agent.event('stop', 'ana')
    await probe()
    is((await client(addr))?.status, system)
  }
})

test('a login in the live environment changes nothing, and an invalid event is logged', async () => {
  const addr = '127.0.20.5'
  const agent = await testHost.agent(addr)
  agent.event('start', 'ana')
  agent.send('HTTP/1.0 103 Early Hints\r\nContent-Length: 3\r\n\r\n{]}')
  await testHost.logged(/127\.0\.20\.5: 103 ignored: expected a session event or a hello, got \{\]\}/)
  equal(await client(addr), { addr, state: 'OPG', speed: 0, last_cmd: { result: 'success' }, status: 'oglive' })
})

test('a login while a command runs changes neither the command nor its result', async () => {
  const addr = '127.0.20.6'
  const agent = await testHost.agent(addr, { refresh: { status: 200, body: { status: 'LINUX' } } })
  await testHost.call('POST /shell/run', { clients: [addr], ...scriptPayload })
  await agent.next('/shell/run')
  const body = '{"event": "session", "action": "start", "user": "ana"}'
  const login = `HTTP/1.0 103 Early Hints\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const ended = testHost.event('command-ended', { addr })
  // Both messages in one segment: neither may be lost.
  agent.send(`${login}HTTP/1.0 200 OK\r\nContent-Length: 12\r\n\r\n{"out":"hi"}`)
  is((await ended).result, 'success')
  is((await client(addr))?.status, 'linux-session')
  is(await output(addr), 'hi')
})

test('with rest.os_states the state shows the operating system', async () => {
  for (const [index, { word, osState }] of statusWords.entries()) {
    const addr = `127.0.2.${index + 1}`
    const agent = await osStatesHost.agent(addr, { refresh: { status: 200, body: { status: word } } })
    is((await osStatesHost.client(addr))?.state, osState)
    if (!['LINUX', 'WIN'].includes(word)) continue
    agent.event('start', 'ana')
    agent.send('HTTP/1.0 200 OK\r\n\r\n')
    await osStatesHost.logged(new RegExp(`${addr}: reply 200 ignored`))
    is((await osStatesHost.client(addr))?.state, `${osState}S`)
  }
})

test.after(async () => {
  await testHost.stop()
  await osStatesHost.stop()
})
test.run()

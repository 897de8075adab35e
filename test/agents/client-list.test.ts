// GET /clients: its entries and their order, the displayed state, and the commands that a busy client skips.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { scriptPayload, startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.1' })
const { sendToNewAgent, clients, client, expectFree } = testHost
const run = (...addrs: string[]) => ({ clients: addrs, ...scriptPayload })

const test = suite('client list')

test('a connected agent is listed with address, state, speed, last_cmd and status', async () => {
  await testHost.agent('127.0.1.101')
  equal(await client('127.0.1.101'), {
    addr: '127.0.1.101',
    state: 'OPG',
    speed: 0,
    last_cmd: { result: 'success' },
    status: 'oglive',
  })
})

test('a new connection starts as live environment and is sent a refresh at once', async () => {
  const agent = await testHost.agent('127.0.1.102', { auto: false })
  const { method, path, body } = await agent.next()
  equal([method, path, body], ['GET', '/refresh', undefined])
  equal((await client('127.0.1.102'))?.status, 'oglive')
  is((await client('127.0.1.102'))?.state, 'BSY')
  is((await client('127.0.1.102'))?.last_cmd.result, 'unknown')
})

test('connected agents are listed most recently connected first', async () => {
  for (const addr of ['127.0.1.111', '127.0.1.112', '127.0.1.113']) await testHost.agent(addr)
  const addrs = (await clients()).map(({ addr }) => addr).filter(addr => /1\.11[123]$/.test(addr))
  equal(addrs, ['127.0.1.113', '127.0.1.112', '127.0.1.111'])
})

test('a disconnected agent leaves the list', async () => {
  const agent = await testHost.agent('127.0.1.103')
  const gone = testHost.event('client-gone', { addr: '127.0.1.103' })
  await agent.close()
  await gone
  is(await client('127.0.1.103'), undefined)
})

test('an older connection of the same address is closed and the new one is listed first', async () => {
  const older = await testHost.agent('127.0.1.104')
  await testHost.agent('127.0.1.105')
  const newer = await testHost.agent('127.0.1.104')
  await older.closed
  const addrs = (await clients()).map(({ addr }) => addr).filter(addr => /1\.10[45]$/.test(addr))
  equal(addrs, ['127.0.1.104', '127.0.1.105'])
  await testHost.call('POST /shell/run', run('127.0.1.104'))
  await newer.next('/shell/run')
})

test('a command that runs on the older connection of an address fails when the newer one is made', async () => {
  const { addr, ended } = await sendToNewAgent()
  await testHost.agent(addr)
  equal((await ended).reason, 'connection lost')
  is((await client(addr))?.last_cmd.result, 'success')
})

test('a client whose last command is neither none nor probe is BSY', async () => {
  const { addr } = await sendToNewAgent()
  is((await client(addr))?.state, 'BSY')
  is((await client(addr))?.status, 'oglive')
})

test('a probe does not change the displayed state', async () => {
  const { addr, request } = await sendToNewAgent('POST /clients', {})
  is(request.path, '/probe')
  is((await client(addr))?.state, 'OPG')
})

test('a command for a client with a last command is skipped silently', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  for (const route of ['POST /hardware', 'POST /clients', 'POST /refresh']) {
    is((await testHost.call(route, { clients: [addr] })).status, 200)
  }
  agent.answer(200)
  await ended
  await expectFree(addr, agent)
})

test('a client with a busy status is sent commands', async () => {
  const { addr, agent, ended } = await sendToNewAgent('POST /clients', {})
  agent.answer(200, { status: 'BSY' })
  await ended
  is((await client(addr))?.state, 'BSY')
  await testHost.call('POST /shell/run', run(addr))
  await agent.next('/shell/run')
})

test('the clients key of a request may name unknown addresses, which are skipped', async () => {
  const agent = await testHost.agent('127.0.1.126')
  const { status, text } = await testHost.call('POST /shell/run', run('10.9.9.9', '127.0.1.126', '10.9.9.8'))
  equal([status, text], [200, ''])
  equal((await agent.next('/shell/run')).body, scriptPayload)
})

test.after(() => testHost.stop())
test.run()

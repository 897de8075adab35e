// The fleet alone, with times of its own: what ends when nobody says anything more.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { AgentRequest } from '../../host/agents/agent-request.ts'
import { encodeRequest } from '../../host/agents/codec.ts'
import { Fleet } from '../../host/agents/fleet.ts'
import { loadOptions } from '../../host/config/options.ts'
import { createEvents } from '../../host/system/events.ts'
import { createLog } from '../../host/system/log.ts'

const log = createLog(() => {})
const { limits } = loadOptions().options
const events = createEvents(log)
const seconds = { wakeEntry: 0.05, accepted: 0.05 }
const fleet = new Fleet({
  log,
  events,
  limits: { ...limits, output: 5 },
  osStates: false,
  connectCommand: () => undefined,
  seconds,
})

const server = createServer(socket => fleet.connect('10.0.0.1', socket))
server.listen(0, '127.0.0.1')
await once(server, 'listening')

const order: AgentRequest = {
  command: 'reboot',
  payload: {},
  bytes: encodeRequest('POST /reboot', ''),
  deadline: 900,
  whileBusy: true,
  endsOnClose: true,
}

/** Looks again at each turn of the event loop, for a bounded time. */
async function until(fits: () => boolean): Promise<void> {
  for (const end = Date.now() + 5000; !fits() && Date.now() < end; ) await new Promise(setImmediate)
}

const test = suite('fleet')

test('a wake-up entry ends a while after its last wake-up', async () => {
  fleet.addWakeEntry('10.0.0.9')
  equal(fleet.clients(), [{ addr: '10.0.0.9', state: 'WOL_SENT', last_cmd: { result: 'unknown' } }])
  await until(() => fleet.clients().length === 0)
  equal(fleet.clients(), [])
})

const connectOne = async () => {
  const { port } = Object(server.address())
  const agent = connect(port, '127.0.0.1')
  const connected = new Promise<void>(resolve => {
    const off = events.on(({ type }) => {
      if (type !== 'client-connected') return
      off()
      resolve()
    })
  })
  await connected
  return agent
}

test('callers get the same list until something in it changes, and then at once a new one', async () => {
  const agent = await connectOne()
  const answering = { set: () => {}, stored: () => {} }
  const settled = new Promise<void>(resolve => {
    answering.set = resolve
  })
  const first = fleet.clients()
  is(fleet.clients(), first)
  fleet.send('10.0.0.1', {
    ...order,
    async onReply(_, { setSpeed, setStatus }) {
      is(fleet.clients()[0]?.speed, 0)
      setSpeed(1000)
      is(fleet.clients()[0]?.speed, 1000)
      setStatus('LINUX')
      is(fleet.clients()[0]?.status, 'linux')
      answering.set()
      await new Promise<void>(stored => {
        answering.stored = stored
      })
    },
    checkReply: () => undefined,
  })
  is(fleet.clients()[0]?.state, 'BSY')
  equal(first[0], { addr: '10.0.0.1', state: 'OPG', speed: 0, last_cmd: { result: 'unknown' }, status: 'oglive' })
  await once(agent, 'data')
  agent.write('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  await settled
  answering.stored()
  await until(() => fleet.clients()[0]?.last_cmd.result === 'success')
  equal(fleet.clients(), [{ ...first[0], state: 'OFF', speed: 1000, last_cmd: { result: 'success' }, status: 'linux' }])
  is(fleet.clients(), fleet.clients())
  agent.write('HTTP/1.0 103 Early Hints\r\nContent-Length: 36\r\n\r\n{"event":"session","action":"start"}')
  await until(() => fleet.clients()[0]?.status === 'linux-session')
  is(fleet.clients()[0]?.status, 'linux-session')
  agent.destroy()
  await until(() => fleet.clients().length === 0)
  equal(fleet.clients(), [])
})

test('a command that was answered 202 stays for a while at most, then it is a success and the client is free', async () => {
  const agent = await connectOne()
  const ended = new Promise(resolve => {
    const off = events.on(event => {
      if (event.type !== 'command-ended') return
      off()
      resolve(event.result)
    })
  })
  fleet.send('10.0.0.1', order)
  await once(agent, 'data')
  agent.write('HTTP/1.0 202 Accepted\r\n\r\n')
  await until(() => fleet.clients()[0]?.last_cmd.result === 'success')
  is(fleet.clients()[0]?.state, 'BSY')
  is(await ended, 'success')
  is(fleet.clients()[0]?.state, 'OPG')
  agent.destroy()
})

test('of many that connect at once each is welcomed before it gets anything else', async () => {
  const many = 300
  const refresh: AgentRequest = {
    ...order,
    command: 'refresh',
    bytes: encodeRequest('GET /refresh', ''),
    onConnect: true,
  }
  const parts = { log, events: createEvents(log), limits, osStates: false, connectCommand: () => refresh }
  const crowd = new Fleet(parts)
  const accepted: Socket[] = []
  const door = createServer(socket => accepted.push(socket))
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const { port } = Object(door.address())
  const agents = Array.from({ length: many }, () => connect(port, '127.0.0.1'))
  const first = agents.map(agent => once(agent, 'data'))
  await until(() => accepted.length === many)
  const addrs = accepted.map((_, index) => `10.1.${index >> 8}.${index & 255}`)
  for (const [index, socket] of accepted.entries()) crowd.connect(addrs[index] ?? '', socket)
  // In the same turn, when the last ones wait for their welcome.
  const { whileBusy: _, ...patient } = order
  const fates = addrs.map(addr => crowd.send(addr, patient))
  equal(new Set(fates), new Set(['busy']))
  const received = (await Promise.all(first)).map(([bytes]) => String(bytes).split(' HTTP')[0])
  equal(new Set(received), new Set(['GET /refresh']))
  crowd.close()
  equal([...new Set(addrs.map(addr => crowd.send(addr, order)))], ['not connected'])
  door.close()
})

test('the first characters of an output are kept, up to the limit, none of them half', () => {
  fleet.setOutput('10.0.0.1', '123456')
  is(fleet.output('10.0.0.1'), '12345')
  fleet.setOutput('10.0.0.1', '1234😀')
  is(fleet.output('10.0.0.1'), '1234')
  fleet.clearOutput(['10.0.0.1'])
  is(fleet.output('10.0.0.1'), '')
})

test.after(() => {
  fleet.close()
  server.close()
})
test.run()

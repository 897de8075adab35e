// All agents without a host, with short times: the client list, wake-up entries, script outputs and new connections.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { type AgentOutcome, type AgentRequest, whenFinal } from '../../host/agents/agent-request.ts'
import { encodeRequest } from '../../host/agents/connection/codec.ts'
import { Agents } from '../../host/agents/service.ts'
import { loadOptions } from '../../host/config/options.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import { pollUntil } from '../harness/poll.ts'

const log = createLog(() => {})
const { limits } = loadOptions().options
const events = createEvents(log)
const hasRecord = () => true
const seconds = { wakeEntry: 0.05, accepted: 0.05 }
const fleet = new Agents({ log, events, limits: { ...limits, output: 5 }, osStates: false, hasRecord, seconds })

async function listen(onConnection: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer(onConnection)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an AddressInfo.
  return { server, port: (server.address() as AddressInfo).port }
}

const addr = '10.0.0.1'
const { server, port } = await listen(socket => fleet.connect(addr, socket, () => undefined))

const reboot: AgentRequest = {
  command: 'reboot',
  payload: {},
  bytes: encodeRequest('POST /reboot', ''),
  deadline: 900,
  forward: { whileBusy: true, endsOnClose: true },
}
const emptyReply = 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}'

function nextEvent(type: FleetEvent['type']): Promise<FleetEvent> {
  return new Promise(resolve => {
    const unsubscribe = events.on(
      event => {
        unsubscribe()
        resolve(event)
      },
      [type],
    )
  })
}

async function connectAgent(): Promise<Socket> {
  const connected = nextEvent('client-connected')
  const agent = connect(port, '127.0.0.1')
  await connected
  return agent
}

async function disconnect(agent: Socket): Promise<void> {
  const gone = nextEvent('client-gone')
  agent.destroy()
  await gone
}

const test = suite('agents')

test('a wake-up entry ends some time after its last wake-up', async () => {
  const timedOut = nextEvent('wake-timed-out')
  fleet.addWakeEntry('10.0.0.9')
  equal(fleet.clients(), [{ addr: '10.0.0.9', state: 'WOL_SENT', last_cmd: { result: 'unknown' } }])
  await timedOut
  equal(fleet.clients(), [])
})

test('callers get the same list until something in it changes, and then at once a new one', async () => {
  const agent = await connectAgent()
  let finishStoring = () => {}
  let reportStoring = () => {}
  const storing = new Promise<void>(resolve => {
    reportStoring = resolve
  })
  const first = fleet.clients()
  is(fleet.clients(), first)
  fleet.send(addr, {
    ...reboot,
    async onReply(_, { setSpeed, setStatus }) {
      is(fleet.clients()[0]?.speed, 0)
      setSpeed(1000)
      is(fleet.clients()[0]?.speed, 1000)
      setStatus('LINUX')
      is(fleet.clients()[0]?.status, 'linux')
      reportStoring()
      await new Promise<void>(resolve => {
        finishStoring = resolve
      })
    },
    checkReply: () => undefined,
  })
  is(fleet.clients()[0]?.state, 'BSY')
  equal(first[0], { addr, state: 'OPG', speed: 0, last_cmd: { result: 'unknown' }, status: 'oglive' })
  await once(agent, 'data')
  const ended = nextEvent('command-ended')
  agent.write(emptyReply)
  await storing
  finishStoring()
  await ended
  equal(fleet.clients(), [{ ...first[0], state: 'OFF', speed: 1000, last_cmd: { result: 'success' }, status: 'linux' }])
  is(fleet.clients(), fleet.clients())
  const login = nextEvent('session-login')
  agent.write('HTTP/1.0 103 Early Hints\r\nContent-Length: 36\r\n\r\n{"event":"session","action":"start"}')
  await login
  is(fleet.clients()[0]?.status, 'linux-session')
  await disconnect(agent)
  equal(fleet.clients(), [])
})

test('a command with the reply 202 ends as a success after some time, and the client is free', async () => {
  const agent = await connectAgent()
  const ended = nextEvent('command-ended')
  fleet.send(addr, reboot)
  await once(agent, 'data')
  agent.write('HTTP/1.0 202 Accepted\r\n\r\n')
  await pollUntil(() => fleet.clients()[0]?.last_cmd.result === 'success')
  is(fleet.clients()[0]?.state, 'BSY')
  const reason = 'not confirmed: its agent is still connected'
  equal(await ended, { type: 'command-ended', addr, command: 'reboot', result: 'success', reason })
  is(fleet.clients()[0]?.state, 'OPG')
  await disconnect(agent)
})

test('after the reply 200 the client is free; the outcome is confirmed when the connection closes, or not', async () => {
  const reasons: unknown[] = []
  const onEnd = (_: string, outcome: AgentOutcome) => whenFinal(outcome, ({ reason }) => reasons.push(reason))
  for (const leave of [disconnect, () => nextEvent('client-ready')]) {
    const agent = await connectAgent()
    fleet.send(addr, { ...reboot, onEnd })
    await once(agent, 'data')
    const ended = nextEvent('command-ended')
    agent.write('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n')
    equal(await ended, { type: 'command-ended', addr, command: 'reboot', result: 'success' })
    // What waits for it is not sent to a computer that goes down.
    equal([fleet.clients()[0]?.state, fleet.isReady(addr)], ['OPG', false])
    await leave(agent)
    agent.destroy()
  }
  equal(reasons, [undefined, 'not confirmed: its agent is still connected'])
})

test('of many agents that connect at once each is sent its first request before anything else', async () => {
  const count = 300
  const refresh: AgentRequest = {
    ...reboot,
    command: 'refresh',
    bytes: encodeRequest('GET /refresh', ''),
    forward: { onConnect: true },
  }
  const largeFleet = new Agents({ log, events: createEvents(log), limits, osStates: false, hasRecord, seconds })
  const sockets: Socket[] = []
  const listener = await listen(socket => sockets.push(socket))
  const agents = Array.from({ length: count }, () => connect(listener.port, '127.0.0.1'))
  const firstData = agents.map(agent => once(agent, 'data'))
  await pollUntil(() => sockets.length === count)
  const addrs = sockets.map((_, index) => `10.1.${index >> 8}.${index & 255}`)
  for (const [index, socket] of sockets.entries()) largeFleet.connect(addrs[index] ?? '', socket, () => refresh)
  // In the same tick, while the first requests of the last agents are still to be sent.
  const patientRequest = { ...reboot, forward: {} }
  const results = addrs.map(addr => largeFleet.send(addr, patientRequest))
  equal(new Set(results), new Set(['busy']))
  const requestLines = (await Promise.all(firstData)).map(([bytes]) => String(bytes).split(' HTTP')[0])
  equal(new Set(requestLines), new Set(['GET /refresh']))
  largeFleet.close()
  equal([...new Set(addrs.map(addr => largeFleet.send(addr, reboot)))], ['not connected'])
  listener.server.close()
})

test('the first characters of an output are stored, up to the limit, and no half characters', () => {
  fleet.setOutput(addr, '123456')
  is(fleet.output(addr), '12345')
  fleet.setOutput(addr, '1234😀')
  is(fleet.output(addr), '1234')
  fleet.clearOutput([addr])
  is(fleet.output(addr), '')
})

for (const [name, setOutput] of [
  ['client.setOutput', (text: string, client: { setOutput(text: string): void }) => client.setOutput(text)],
  ['services.fleet.setOutput', (text: string) => fleet.setOutput(addr, text)],
] as const) {
  test(`what onReply passes to ${name} is stored and is in the outcome of its request`, async () => {
    const agent = await connectAgent()
    const outcomes: AgentOutcome[] = []
    const ended = nextEvent('command-ended')
    fleet.send(addr, {
      ...{ ...reboot, forward: {} },
      onReply: async (_, client) => setOutput('123456', client),
      onEnd: (_, outcome) => outcomes.push(outcome),
      checkReply: () => undefined,
    })
    await once(agent, 'data')
    agent.write(emptyReply)
    await ended
    equal(outcomes, [{ result: 'success', answered: true, output: '12345' }])
    is(fleet.output(addr), '12345')
    fleet.clearOutput([addr])
    await disconnect(agent)
  })
}

test.after(() => {
  fleet.close()
  server.close()
})
test.run()

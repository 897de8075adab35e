// The agents of several hosts as one fleet: what is listed, and clients that move between hosts.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { AgentOutcome } from '../../host/agents/agent-request.ts'
import { ClientReports } from '../../host/agents/client-reports.ts'
import { Admission } from '../../host/agents/connection/admission.ts'
import { agentLimits, createHostAgents, limits, own, rowOf, script } from '../harness/host-agents.ts'

const test = suite('agents of several hosts')

test('the list has the clients of all hosts, the latest connection of the fleet first', async () => {
  const { fleet, remote, connectAgent, number, addrs } = createHostAgents()
  const agent = await connectAgent()
  remote.apply([rowOf('10.0.0.2', 4), rowOf('10.0.0.3', 6, 'b', { state: 'BSY', speed: 100, result: 'success' })])
  equal(addrs(), [own, '10.0.0.3', '10.0.0.2'])
  number(5)
  remote.apply([rowOf('10.0.0.4', 7)])
  equal(addrs(), ['10.0.0.4', '10.0.0.3', own, '10.0.0.2'])
  equal(fleet.clients()[1], {
    addr: '10.0.0.3',
    state: 'BSY',
    speed: 100,
    last_cmd: { result: 'success' },
    status: 'oglive',
  })
  is(fleet.clients(), fleet.clients())
  equal([fleet.has('10.0.0.2'), fleet.hasLocal('10.0.0.2'), fleet.hasLocal(own)], [true, false, true])
  equal(fleet.states(), ['OPG'])
  agent.destroy()
})

test('running commands are those of all hosts', async () => {
  const { fleet, remote, connectAgent } = createHostAgents()
  const agent = await connectAgent()
  fleet.send(own, script)
  remote.apply([
    rowOf('10.0.0.2', 4, 'b', { details: { request: { command: 'image-create', payload: { name: 'ubuntu' } } } }),
    rowOf('10.0.0.3', 5),
  ])
  equal(fleet.running(), [
    { addr: own, command: 'script', payload: script.payload },
    { addr: '10.0.0.2', command: 'image-create', payload: { name: 'ubuntu' } },
  ])
  agent.destroy()
})

test('a change without an event is reported to the other hosts, too', async () => {
  const { fleet, presence, connectAgent } = createHostAgents()
  const agent = await connectAgent()
  fleet.send(own, script)
  is(presence.take().agents[0]?.result, 'unknown')
  agent.write('HTTP/1.0 202 Accepted\r\n\r\n')
  await new Promise<void>(resolve => {
    const wait = () => (fleet.clients()[0]?.last_cmd.result === 'success' ? resolve() : void setImmediate(wait))
    wait()
  })
  const [{ state, result, details } = {}] = presence.take().agents
  equal([state, result, details], ['BSY', 'success', { request: { command: 'script', payload: { name: 'one' } } }])
  agent.destroy()
})

test('a client that connects to another host loses the connection to this one, and its command fails', async () => {
  const { fleet, remote, connectAgent, number, eventsOf, addrs } = createHostAgents()
  const agent = await connectAgent()
  const outcomes: AgentOutcome[] = []
  fleet.send(own, { ...script, onEnd: (_, outcome) => outcomes.push(outcome) })
  number(5)
  const closed = once(agent, 'close')
  agent.resume()
  remote.apply([rowOf(own, 6)])
  equal(eventsOf('client-gone'), [{ type: 'client-gone', addr: own, replaced: true }])
  equal([fleet.hasLocal(own), fleet.has(own), addrs()], [false, true, [own]])
  await closed
  while (outcomes.length === 0) await new Promise(setImmediate)
  equal(outcomes[0]?.reason, 'connection lost')
  is(eventsOf('client-gone').length, 1)
})

test('a client that comes from another host replaces its connection there', async () => {
  const { remote, connectAgent, eventsOf, addrs } = createHostAgents()
  remote.apply([rowOf(own, 6)])
  const agent = await connectAgent()
  equal([eventsOf('client-replaced').length, addrs()], [1, [own]])
  agent.destroy()
})

test('logins and pending clients are those of all hosts, the oldest connection first', async () => {
  const { events, remote, records, hasRecord } = createHostAgents()
  const refusals = { list: () => [], counts: new Map() }
  const store = { computers: { list: async () => [] } }
  const reports = new ClientReports({ events, hasRecord, limits, refusals, remote, store, table: '/nowhere' })
  events.emit({ type: 'client-connected', addr: own })
  events.emit({ type: 'client-hello', addr: own, hello: { name: 'pc-1', agent: 'one' } })
  events.emit({ type: 'session-login', addr: own, user: 'ana' })
  const details = { session: { user: 'ben' }, hello: { name: 'pc-2', agent: 'two' } }
  remote.apply([rowOf('10.0.0.2', 4, 'b', { details }), rowOf('10.0.0.3', 5), rowOf('10.0.0.4', 6)])
  records.add('10.0.0.4')
  equal(reports.sessions(), [
    { client: '10.0.0.2', user: 'ben' },
    { client: own, user: 'ana' },
  ])
  const { pending } = await reports.list()
  equal(
    pending.map(({ client, name }) => [client, name]),
    [
      ['10.0.0.2', 'pc-2'],
      ['10.0.0.3', undefined],
      [own, 'pc-1'],
    ],
  )
  is(pending[0]?.since, new Date(4).toISOString())
  equal(reports.agents(), [
    { client: '10.0.0.2', agent: 'two' },
    { client: own, agent: 'one' },
  ])
  equal(
    [own, '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'].map(addr => reports.find(addr)),
    [{ name: 'pc-1', agent: 'one' }, details.hello, {}, undefined, undefined],
  )
})

test('agents.unknown limits the clients without a record of all hosts', () => {
  const { log, events, remote } = createHostAgents()
  const admission = new Admission({ log, events, options: { ...agentLimits, unknown: 1 }, remote: remote })
  // Refused connections are destroyed; nothing else of the socket is used.
  const socket = { destroy() {} } as Socket
  is(admission.admit(own, socket), true)
  remote.apply([rowOf('10.0.0.2', 4)])
  is(admission.admit(own, socket), false)
  events.relay({ type: 'computer-added', computers: [{ ip: '10.0.0.2', room: 1 }] })
  is(admission.admit(own, socket), true)
  admission.setComputers([])
  is(admission.admit(own, socket), false)
  remote.apply([rowOf('10.0.0.2', 4, 'b', { gone: true })])
  is(admission.admit(own, socket), true)
})

test.run()

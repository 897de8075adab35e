// What several hosts share of their agents: wake-up entries, and the outputs of scripts.
import { once } from 'node:events'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import type { AgentOutcome } from '../../host/agents/agent-request.ts'
import { ClusterOutputs } from '../../host/agents/script-outputs.ts'
import { createLog } from '../../host/log/log.ts'
import { createHostAgents, createOutputs, own, rowOf, script } from '../harness/host-agents.ts'
import { pollUntil } from '../harness/poll.ts'

export const runs = { hosts: false }

const test = suite('wake-up entries and outputs of several hosts')

test('a wake-up of another host is shown once, and the host of the client reports that it has connected', async () => {
  const { events, fleet, remote, connectAgent, eventsOf, addrs } = createHostAgents()
  fleet.addWakeEntry('10.0.0.7', 'unicast')
  equal(eventsOf('wake-sent'), [{ type: 'wake-sent', addr: '10.0.0.7', kind: 'unicast' }])
  for (const addr of [own, '10.0.0.7', '10.0.0.8']) events.relay({ type: 'wake-sent', addr, kind: 'broadcast' })
  equal(addrs(), ['10.0.0.8', '10.0.0.7', own])
  is(eventsOf('wake-sent').length, 1)
  remote.apply([rowOf('10.0.0.8', 6)])
  const agent = await connectAgent()
  equal(eventsOf('wake-answered'), [{ type: 'wake-answered', addr: own }])
  equal(
    fleet.clients().map(({ addr, state }) => [addr, state]),
    [
      ['10.0.0.7', 'WOL_SENT'],
      [own, 'OPG'],
      ['10.0.0.8', 'OPG'],
    ],
  )
  events.relay({ type: 'wake-sent', addr: own })
  is(eventsOf('wake-answered').length, 2)
  fleet.close()
  agent.destroy()
})

test('only the host that sent the wake-up reports that it has timed out', async () => {
  const { events, fleet, eventsOf, addrs } = createHostAgents({ wakeEntry: 0.05 })
  events.relay({ type: 'wake-sent', addr: '10.0.0.7' })
  fleet.addWakeEntry('10.0.0.8')
  await pollUntil(() => eventsOf('wake-timed-out').length > 0)
  equal([eventsOf('wake-timed-out'), addrs()], [[{ type: 'wake-timed-out', addr: '10.0.0.8' }], []])
})

test('outputs are stored for all hosts, before the command ends, and those of one tick are read together', async () => {
  const { events, fleet, outputs, connectAgent } = createHostAgents()
  const agent = await connectAgent()
  const outcomes: AgentOutcome[] = []
  const ended = new Promise<string | undefined>(resolve =>
    events.on(() => resolve(outputs.stored.get(own)), ['command-ended']),
  )
  fleet.send(own, {
    ...script,
    onReply: async (_, client) => client.setOutput('123456'),
    onEnd: (_, outcome) => outcomes.push(outcome),
  })
  await once(agent, 'data')
  agent.write('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  is(await ended, '12345')
  is(outcomes[0]?.output, '12345')
  outputs.stored.set('10.0.0.9', 'other')
  equal(await Promise.all([own, '10.0.0.9', '10.0.0.8'].map(addr => fleet.output(addr))), ['12345', 'other', ''])
  is(outputs.reads, 1)
  await Promise.all([fleet.setOutput(own, 'a'), fleet.setOutput(own, 'b')])
  is(await fleet.output(own), 'b')
  await fleet.clearOutput([own])
  is(await fleet.output(own), '')
  agent.destroy()
})

test('a command whose output cannot be stored for all hosts still ends with it', async () => {
  const { events, fleet, outputs, connectAgent } = createHostAgents()
  outputs.setOutputs = () => Promise.reject(new Error('away'))
  const agent = await connectAgent()
  const ended = new Promise(resolve => events.on(resolve, ['command-ended']))
  fleet.send(own, { ...script, onReply: async (_, client) => client.setOutput('1') })
  await once(agent, 'data')
  agent.write('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  equal(await ended, { type: 'command-ended', addr: own, command: 'script', result: 'success' })
  agent.destroy()
})

test('outputs that come while the store is away are stored when it is back, the newest of each client, with one line', async () => {
  const outputs = createOutputs()
  const lines: string[] = []
  const log = createLog(line => lines.push(line))
  const clients = Array.from({ length: 30 }, (_, index) => index + 1)
  const store = {
    ...outputs,
    async setOutputs(written: ReadonlyMap<string, string>) {
      if (isAway) throw new Error('away')
      await outputs.setOutputs(written)
    },
  }
  const late = new ClusterOutputs({ store, limit: 5, log })
  let isAway = true
  await Promise.all(clients.map(client => late.set(`10.0.0.${client}`, `old ${client}`).stored))
  for (const client of clients) late.set(`10.0.0.${client}`, `${client}`)
  await late.delete(['10.0.0.30'])
  isAway = false
  await pollUntil(() => outputs.stored.size === 29)
  ok([...outputs.stored].every(([client, output]) => client === `10.0.0.${output}`))
  await pollUntil(() => lines.length === 2)
  match(lines.join(''), /^\S+ warn +agents: outputs of scripts cannot be stored[^\n]*: away\n.*stored again\n$/)
})

test('of outputs that wait for the store so many are kept as are in memory at most', async () => {
  const outputs = createOutputs()
  const lines: string[] = []
  let isAway = true
  const late = new ClusterOutputs({
    store: {
      ...outputs,
      setOutputs: written => (isAway ? Promise.reject(new Error('away')) : outputs.setOutputs(written)),
    },
    limit: 5,
    log: createLog(line => lines.push(line)),
    maxWaiting: 10,
  })
  await Promise.all(['a', 'b', 'c'].map(client => late.set(client, '12345').stored))
  isAway = false
  await pollUntil(() => lines.some(line => line.includes('1 outputs of scripts are lost')))
  equal([...outputs.stored.keys()], ['b', 'c'])
})

test('outputs that come while others are written are written together', async () => {
  const outputs = createOutputs()
  const late = new ClusterOutputs({ store: outputs, limit: 5, log: createLog(() => {}) })
  await Promise.all(Array.from({ length: 900 }, (_, client) => late.set(`client ${client}`, `${client}`).stored))
  equal([outputs.stored.size, outputs.stored.get('client 7'), outputs.writes], [900, '7', 1])
})

test.run()

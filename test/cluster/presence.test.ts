// What this host reports of its agents to the other hosts.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { Presence } from '../../host/cluster/presence.ts'
import { RemoteAgents } from '../../host/cluster/remote-agents.ts'
import type { ClientEntry } from '../../host/contract/services.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents } from '../../host/system/events.ts'

const entryOf = (addr: string): ClientEntry => ({
  addr,
  state: 'OPG',
  speed: 1000,
  last_cmd: { result: 'success' },
  status: 'oglive',
})

function createPresence() {
  const log = createLog(() => {})
  const events = createEvents(log)
  const remote = new RemoteAgents(log)
  const dirty = { count: 0 }
  const presence = new Presence({
    events,
    remote,
    onDirty: () => {
      dirty.count += 1
    },
  })
  const requests = new Map<string, { command: string; payload: unknown }>()
  presence.attach({ find: addr => ({ entry: entryOf(addr), request: requests.get(addr) }) })
  const connect = (addr: string) => events.emit({ type: 'client-connected', addr })
  const disconnect = (addr: string) => events.emit({ type: 'client-gone', addr })
  const takeAddrs = () => {
    const { agents, gone } = presence.take()
    return [agents.map(({ addr, since }) => [addr, since]), gone]
  }
  return { events, remote, presence, dirty, requests, connect, disconnect, takeAddrs }
}

const test = suite('presence')

test('a new agent is reported with its entry, and has the number of its connection from then on', () => {
  const { presence, connect, dirty } = createPresence()
  connect('10.0.0.1')
  const [{ connected, ...agent } = { connected: 0 }] = presence.take().agents
  equal(agent, {
    addr: '10.0.0.1',
    since: undefined,
    state: 'OPG',
    status: 'oglive',
    speed: 1000,
    result: 'success',
    details: {},
  })
  is(Math.abs(connected - Date.now()) < 60_000, true)
  presence.setNumbers(new Map([['10.0.0.1', 7]]))
  is(presence.numberOf('10.0.0.1'), 7)
  equal(presence.take(), { agents: [], gone: [] })
  is(dirty.count, 1)
  presence.changed('10.0.0.1')
  equal(
    presence.take().agents.map(({ since }) => since),
    [7],
  )
})

test('an agent that has gone is reported, and one that is back already is not', () => {
  const { connect, disconnect, takeAddrs } = createPresence()
  for (const addr of ['10.0.0.1', '10.0.0.2']) connect(addr)
  takeAddrs()
  for (const addr of ['10.0.0.1', '10.0.0.2']) disconnect(addr)
  connect('10.0.0.2')
  equal(takeAddrs(), [[['10.0.0.2', undefined]], ['10.0.0.1']])
})

test('the details are the login, the introduction, and the command with the short values of its payload', () => {
  const { events, presence, connect, requests } = createPresence()
  const addr = '10.0.0.1'
  connect(addr)
  events.emit({ type: 'client-hello', addr, hello: { name: 'pc-1', agent: 'fleet-agent 1.0' } })
  events.emit({ type: 'session-login', addr, user: 'ana' })
  events.emit({ type: 'session-lock', addr, user: 'ana', locked: true })
  requests.set(addr, {
    command: 'image-create',
    payload: { clients: [addr], name: 'ubuntu', disk: 1, text: 'x'.repeat(300), other: {} },
  })
  equal(presence.take().agents[0]?.details, {
    session: { user: 'ana', locked: true },
    hello: { name: 'pc-1', agent: 'fleet-agent 1.0' },
    request: { command: 'image-create', payload: { name: 'ubuntu', disk: 1 } },
  })
  requests.clear()
  events.emit({ type: 'session-logout', addr })
  equal(presence.take().agents[0]?.details, { hello: { name: 'pc-1', agent: 'fleet-agent 1.0' } })
})

test('a number that was assigned to a connection that has been replaced meanwhile is not used', () => {
  const { presence, connect, takeAddrs } = createPresence()
  connect('10.0.0.1')
  presence.take()
  connect('10.0.0.1')
  presence.setNumbers(new Map([['10.0.0.1', 7]]))
  is(presence.numberOf('10.0.0.1'), undefined)
  equal(takeAddrs(), [[['10.0.0.1', undefined]], []])
})

test('what could not be stored comes again, as it is then', () => {
  const { presence, connect, disconnect, takeAddrs } = createPresence()
  for (const addr of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) connect(addr)
  disconnect('10.0.0.3')
  presence.take()
  disconnect('10.0.0.1')
  connect('10.0.0.3')
  presence.putBack()
  equal(takeAddrs(), [
    [
      ['10.0.0.2', undefined],
      ['10.0.0.3', undefined],
    ],
    ['10.0.0.1'],
  ])
})

test('connections are written in the order in which they were made', () => {
  const { presence, connect, takeAddrs } = createPresence()
  for (const addr of ['10.0.0.1', '10.0.0.2', '10.0.0.1']) connect(addr)
  presence.announceAll()
  equal(takeAddrs()[0], [
    ['10.0.0.2', undefined],
    ['10.0.0.1', undefined],
  ])
})

test('all agents are announced anew with their numbers', () => {
  const { presence, connect, takeAddrs } = createPresence()
  for (const addr of ['10.0.0.1', '10.0.0.2']) connect(addr)
  presence.take()
  presence.setNumbers(
    new Map([
      ['10.0.0.1', 1],
      ['10.0.0.2', 2],
    ]),
  )
  presence.announceAll()
  equal(takeAddrs()[0], [
    ['10.0.0.1', 1],
    ['10.0.0.2', 2],
  ])
})

test('events of other hosts are not those of its agents', () => {
  const { events, takeAddrs } = createPresence()
  events.relay({ type: 'client-connected', addr: '10.0.0.1' })
  equal(takeAddrs(), [[], []])
})

test.run()

// Which connections are kept and reported, without a host: by options, counts, descriptors and time.
import { once } from 'node:events'
import { Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { Admission } from '../../host/agents/connection/admission.ts'
import { loadOptions } from '../../host/config/options.ts'
import { applyOptions } from '../../host/config/reload.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'

const test = suite('admission by options')

/** An admission without a host, with its log lines and the reasons of its events. */
function createAdmission(agents: object = {}, deps: { now?: () => number; descriptors?: typeof descriptors } = {}) {
  const lines: string[] = []
  const log = createLog(text => lines.push(text.slice(25).trim()))
  const events = createEvents(log)
  const refusals: FleetEvent[] = []
  events.on(event => refusals.push(event), ['client-refused'])
  const options = { ...loadOptions().options.agents, ...agents }
  const admission = new Admission({ log, events, options, ...deps })
  const isAdmitted = (addr: string) => {
    const admitted = admission.admit(addr, new Socket())
    if (admitted) events.emit({ type: 'client-connected', addr })
    return admitted
  }
  return { admission, events, options, lines, refusals, isAdmitted }
}

/** Counted once: each connection adds one. */
const descriptors = { limit: () => 1024, open: () => 511 }

test('a connection is closed at once when only the reserved file descriptors are left', async () => {
  const { admission, lines, isAdmitted } = createAdmission({}, { descriptors })
  is(isAdmitted('10.0.0.1'), true)
  const socket = new Socket()
  is(admission.admit('10.0.0.2', socket), false)
  await once(socket, 'close')
  is(isAdmitted('10.0.0.1'), true)
  equal(lines, [
    'warn  agents: connection from 10.0.0.2 closed: 512 of 1024 file descriptors are open, the others are reserved',
  ])
})

test('a computer with a new address is known by that address', () => {
  const { admission, events } = createAdmission()
  admission.addComputers([{ ip: '10.0.0.1' }])
  events.emit({ type: 'computer-changed', addrs: ['10.0.0.1', '10.0.0.7'], ip: '10.0.0.9' })
  equal(
    ['10.0.0.1', '10.0.0.7', '10.0.0.9'].map(addr => admission.hasRecord(addr)),
    [false, false, true],
  )
})

test('with networks in agents.allow an agent gets in from an address of these networks, with or without a record', () => {
  const { admission, lines, isAdmitted } = createAdmission({ allow: ['10.1.0.0/16', '10.2.0.7', '2001:db8::/32'] })
  admission.addComputers([{ ip: '10.3.0.1' }])
  const addrs = ['10.1.0.1', '10.1.255.254', '10.2.0.7', '10.2.0.8', '10.3.0.1', '2001:db8::1', '2001:db9::1']
  equal(addrs.filter(isAdmitted), ['10.1.0.1', '10.1.255.254', '10.2.0.7', '2001:db8::1'])
  is(lines[0], 'warn  agents: connection from 10.2.0.8 closed: it has no address of the listed networks (agents.allow)')
})

test('changed options hold for the next connection', () => {
  const { options: agents, isAdmitted } = createAdmission()
  const current = { ...loadOptions().options, agents }
  const changes: [change: object, isKept: boolean][] = [
    [{}, true],
    [{ allow: ['10.1.0.0/16'] }, false],
    [{ allow: ['10.0.0.0/24'] }, true],
    [{ allow: 'known' }, false],
    [{ connections_per_minute: 3 }, true],
    [{ connections_per_minute: 1 }, false],
  ]
  for (const [change, isKept] of changes) {
    const { options: next } = loadOptions()
    const { applied, restartRequired } = applyOptions(current, { ...next, agents: { ...next.agents, ...change } })
    equal([applied.every(key => /^agents\.(allow|connections_per_minute)$/.test(key)), restartRequired], [true, []])
    is(isAdmitted('10.0.0.1'), isKept, JSON.stringify(change))
  }
})

test('beyond agents.connections the newest connection is closed, also of a computer with a record', () => {
  const { admission, events, lines, isAdmitted } = createAdmission({ connections: 2 })
  const addrs = ['10.0.0.1', '10.0.0.2', '10.0.0.3']
  admission.addComputers(addrs.map(ip => ({ ip })))
  equal(addrs.filter(isAdmitted), ['10.0.0.1', '10.0.0.2'])
  is(lines[0], 'warn  agents: connection from 10.0.0.3 closed: 2 connections are open (agents.connections)')
  // It replaces the older one.
  is(isAdmitted('10.0.0.1'), true)
  events.emit({ type: 'client-gone', addr: '10.0.0.2' })
  is(isAdmitted('10.0.0.3'), true)
})

test('refused connections are logged and emitted once a minute for each address', () => {
  let now = 0
  const { admission, lines, refusals, isAdmitted } = createAdmission({ allow: 'known' }, { now: () => now })
  for (let count = 0; count < 100; count += 1) isAdmitted('10.0.0.1')
  isAdmitted('10.0.0.2')
  const reason = 'it has no computer record (agents.allow)'
  equal(refusals, [
    { type: 'client-refused', addr: '10.0.0.1', reason },
    { type: 'client-refused', addr: '10.0.0.2', reason },
  ])
  equal(lines, [
    `warn  agents: connection from 10.0.0.1 closed: ${reason}`,
    `warn  agents: connection from 10.0.0.2 closed: ${reason}`,
  ])
  now = 60_000
  isAdmitted('10.0.0.1')
  equal([lines.length, refusals.length], [3, 3])
  equal([...admission.refused.counts], [['allow', 102]])
})

test('of refused addresses without a record 300 a minute are logged and emitted, of computers all', () => {
  const { admission, lines, refusals, isAdmitted } = createAdmission({ allow: ['10.9.0.0/16'] })
  for (let index = 0; index < 5000; index += 1) isAdmitted(`10.0.${index >> 8}.${index & 255}`)
  equal([lines.length, refusals.length], [300, 300])
  match(String(lines.at(-1)), /closed: .*; further addresses without a record are only counted for up to a minute$/)
  admission.addComputers([{ ip: '10.1.0.1' }])
  isAdmitted('10.1.0.1')
  match(String(lines.at(-1)), /10\.1\.0\.1 closed: it has no address of the listed networks \(agents\.allow\)$/)
  equal([refusals.length, ...admission.refused.counts], [301, ['allow', 5001]])
})

test('of the addresses that were refused 200 computers and 200 others are known, of large networks the latest', () => {
  const { admission, isAdmitted } = createAdmission({ allow: ['10.9.0.0/16'] })
  admission.addComputers([{ ip: '10.1.0.1' }])
  isAdmitted('10.1.0.1')
  isAdmitted('10.2.0.1')
  for (let index = 0; index < 5000; index += 1) isAdmitted(`10.0.${index % 20}.${Math.floor(index / 20)}`)
  isAdmitted('10.2.0.1')
  const addrs = admission.refused.list().map(({ addr }) => addr)
  equal([addrs[0], addrs.length], ['10.1.0.1', 201])
  is(
    ['10.2.0.1', '10.0.0.249', '10.0.19.249'].every(addr => addrs.includes(addr)),
    true,
  )
  const { limit, reason, count } = admission.refused.find('10.2.0.1') ?? {}
  equal([limit, reason, count], ['allow', 'it has no address of the listed networks (agents.allow)', 2])
  is(admission.refused.find('10.0.0.0'), undefined)
})

test.run()

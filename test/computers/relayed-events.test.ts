// What a host does for others of the fleet: wake-ups are sent by every host, adopted clients are refreshed by theirs.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { createRefresh } from '../../host/computers/on-adopted.ts'
import { createWake } from '../../host/computers/wake-on-lan.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import openMemory from '../../stores/memory/index.ts'
import { computer, room } from '../harness/observed-store-setup.ts'
import { pollUntil } from '../harness/poll.ts'

const lines: string[] = []
const log = createLog(line => lines.push(line))
const [addr, mac] = ['10.0.0.1', '020000000001']

const test = suite('events of other hosts')

test('a wake-up of another host is sent by this one as well, and is no entry of its own', async () => {
  const events = createEvents(log)
  const store = await openMemory({ adapter: 'memory', path: '/nowhere' }, log)
  await store.centers.add({ name: 'Center', comment: '' })
  await store.rooms.add({ ...room, netmask: '255.255.255.0' })
  await store.computers.add([{ ...computer, ip: addr, mac }])
  const sent: object[] = []
  let isAway = false
  const packets = {
    async send(target: object) {
      if (isAway) throw new Error('no network')
      sent.push(target)
      return ['10.0.0.255 by eth0']
    },
    close() {},
  }
  const entries: unknown[] = []
  const fleet = { has: () => false, addWakeEntry: (...args: unknown[]) => void entries.push(args) }
  const end = Promise.resolve({ result: 'success' } as const)
  const wakes = {
    start: () => ({ end: () => end, cancel() {} }),
    lastSent: () => undefined,
  }
  const wake = createWake({ store, fleet, packets, wakes, log, events })
  events.emit({ type: 'wake-sent', addr, kind: 'unicast' })
  for (const each of [addr, '10.0.0.2']) events.relay({ type: 'wake-sent', addr: each, kind: 'unicast' })
  await pollUntil(() => sent.length > 0)
  equal([sent, entries], [[{ ip: addr, mac, netmask: '255.255.255.0', type: 'unicast' }], []])
  equal(await wake.send(addr, 'broadcast'), { result: 'success', end })
  equal(entries, [[addr, 'broadcast']])
  isAway = true
  events.relay({ type: 'wake-sent', addr })
  await pollUntil(() => lines.some(line => line.includes('not sent by this one: no network')))
})

test('clients of other hosts are refreshed by these, when they have been adopted', () => {
  const events = createEvents(log)
  const emitted: FleetEvent[] = []
  const sent: string[] = []
  const local = new Set([addr])
  events.on(event => emitted.push(event), ['clients-adopted'])
  const refresh = createRefresh({
    events,
    send(each) {
      if (!local.has(each)) return 'not connected'
      sent.push(each)
      return 'sent'
    },
  })
  refresh([addr, '10.0.0.2'])
  equal([sent, emitted], [[addr], [{ type: 'clients-adopted', addrs: ['10.0.0.2'] }]])
  refresh([addr])
  events.relay({ type: 'clients-adopted', addrs: ['10.0.0.2', addr] })
  equal([sent, emitted.length], [[addr, addr, addr], 2])
})

test.run()

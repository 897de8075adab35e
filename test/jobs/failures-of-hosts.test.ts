// The failures of computers, as several hosts over one store know them.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { LoadedCommand } from '../../host/contract/loaded-command.ts'
import { Failures } from '../../host/jobs/record/failures.ts'
import { FailureList } from '../../host/jobs/record/read-failures.ts'
import { systemClock } from '../../host/system/clock.ts'
import type { FleetEvent } from '../../host/system/events.ts'
import openMemory from '../../stores/memory/index.ts'
import type { PartState } from '../../stores/store.ts'
import { computer, room } from '../conformance/samples.ts'
import { job, part } from '../conformance/work-samples.ts'
import { createMemoryCluster } from '../harness/memory-cluster.ts'
import { openMemoryHost } from '../harness/memory-host.ts'

const addr = '10.1.1.20'
// `as`: no other key is read.
const seen = { name: 'seen', command: { endsFailures: true } } as unknown as LoadedCommand
const partEvent = (number: number, command: string, state: PartState): FleetEvent => {
  return { type: 'job-part', job: number, step: 0, addr, command, state }
}

/** A store with one computer, and two hosts over it. */
async function openTwo() {
  const store = await openMemory({ adapter: 'memory', path: '' }, { info() {}, warn() {} })
  await store.centers.add({ name: 'Center', comment: '' })
  await store.rooms.add(room(1, 'Room'))
  await store.computers.add([computer(1, addr)])
  const fleet = createMemoryCluster()
  const hosts = [
    await openMemoryHost({ store: fleet.open(), name: 'a' }),
    await openMemoryHost({ store: fleet.open(), name: 'b' }),
  ] as const
  const failures = hosts.map(({ cluster }) => {
    return new Failures({ store, cluster, clock: systemClock, registry: { commands: [seen], find: () => undefined } })
  })
  const read = () => Promise.all(failures.map(async each => (await each.list()).map(({ command }) => command)))
  const close = async () => {
    for (const host of hosts) await host.close()
    await store.close()
  }
  return { store, fleet, hosts, read, close }
}

const test = suite('failures of computers on several hosts')

test('all hosts know what has failed on one, and that it was seen on the other', async () => {
  const { hosts, read, close } = await openTwo()
  const [a, b] = hosts
  const known = (count: number) => () => hosts.every(({ feed }) => feed.filter(isPart).length === count)
  equal(await read(), [[], []])
  a.events.emit(partEvent(1, 'restore', 'failure'))
  b.events.emit(partEvent(2, 'script', 'failure'))
  for (const host of hosts) await host.until('both failures', known(2))
  equal(
    (await read()).map(commands => commands.sort()),
    [
      ['restore', 'script'],
      ['restore', 'script'],
    ],
  )
  b.events.emit(partEvent(3, 'script', 'success'))
  for (const host of hosts) await host.until('the success', known(3))
  equal(await read(), [['restore'], ['restore']])
  b.events.emit(partEvent(4, 'seen', 'success'))
  for (const host of hosts) await host.until('that it was seen', known(4))
  equal(await read(), [[], []])
  await close()
})

test('after lost events a host reads the failures from the store again', async () => {
  const { store, fleet, hosts, read, close } = await openTwo()
  const [a, b] = hosts
  equal(await read(), [[], []])
  const steps = [{ command: 'restore', payload: {} }]
  await store.jobs.add(job({ steps }), [part(addr, { state: 'failure', ended: 5 })])
  equal(await read(), [[], []])
  let gaps = 0
  const count = () => {
    gaps += 1
  }
  for (const { cluster } of hosts) cluster.feed.onGap(count)
  a.events.emit(partEvent(1, 'other', 'success'))
  for (const host of hosts) await host.until('an event', () => host.feed.some(isPart))
  fleet.loseEvents()
  a.events.emit(partEvent(2, 'other', 'success'))
  for (const host of [a, b]) await host.until('one after the gap', () => host.feed.filter(isPart).length === 2)
  is(gaps >= 2, true)
  equal(await read(), [['restore'], ['restore']])
  await close()
})

test('of each client the newest failures are kept', () => {
  const list = new FailureList()
  const times = Array.from({ length: 30 }, (_, at) => 30 - at)
  for (const ended of times) list.add({ client: addr, command: 'script', run: `${ended}`, job: 1, reason: '', ended })
  list.add({ client: '10.1.1.21', command: 'script', run: '', job: 1, reason: '', ended: 1 })
  equal(
    Array.from(list, ({ ended }) => ended),
    [...times.slice(0, 20), 1],
  )
})

const isPart = ({ type }: FleetEvent) => type === 'job-part'

test.run()

// What a host that starts notes as missed: as the leader at once, else when the hosts that are gone are known to be gone.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { createOneHost } from '../../host/cluster/one-host.ts'
import { createLog } from '../../host/log/log.ts'
import { Scheduler } from '../../host/schedules/scheduler.ts'
import { createEvents } from '../../host/system/events.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import type { Firing } from '../../stores/store.ts'
import { openStore } from '../harness/history-lab.ts'

const due = new Date('2026-03-02T08:00:00')
const everyDay = { years: 0xffff_ffff, months: 0xfff, weeks: 0, week_days: 0, days: 0x7fff_ffff }

/** A scheduler that starts a minute after a schedule was due, of a host that is the leader once `hosts.isLeader` is set. */
async function start(isLeader: boolean, losesReplies = false) {
  const log = createLog(() => {})
  const events = createEvents(log)
  const clock = createManualClock(new Date(due.getTime() + 60_000).toISOString())
  const store = await openStore()
  const when = { ...everyDay, hours: 1 << 8, am_pm: 0, minutes: 0 }
  const schedule = { name: 'Night', type: 'task' as const, task: 1, suspended: 0 as const, by: 'admin', ...when }
  const id = await store.schedules.add({ ...schedule, since: due.getTime() - 3_600_000 })
  const hosts = { isLeader }
  const missed: [number, string][] = []
  const host = createOneHost(store, events)
  const claimFiring = async (firing: Firing) => {
    const isClaimed = await host.work.claimFiring(firing)
    if (losesReplies) throw new Error('the connection has ended')
    return isClaimed
  }
  const cluster = { ...host, work: { claimFiring }, isLeader: () => hosts.isLeader }
  const scheduler = new Scheduler({
    ...{ store, clock, log, events, cluster },
    run: async () => 'done',
    onMissed: async ({ id }, time, reason) => void missed.push([id, `${new Date(time).toISOString()} ${reason}`]),
    onTaken() {},
    readQueues() {},
    isDraining: () => false,
  })
  const failed = await scheduler.start().catch((error: Error) => error.message)
  const later = async () => {
    await clock.advance(15_000)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  }
  const close = async () => {
    scheduler.close()
    await store.close()
  }
  return {
    id,
    hosts,
    missed,
    failed,
    later,
    close,
    expected: [[id, `${due.toISOString()} the daemon was not running`]],
  }
}

const test = suite('missed firings')

test('the leader notes at once what was missed', async () => {
  const { missed, expected, close } = await start(true)
  equal(missed, expected)
  await close()
})

test('a host that is the leader some seconds later notes it then, any other one does not', async () => {
  const [first, other] = [await start(false), await start(false)]
  equal([first.missed, other.missed], [[], []])
  first.hosts.isLeader = true
  for (const { later } of [first, other]) await later()
  equal([first.missed, other.missed], [first.expected, []])
  for (const { close } of [first, other]) await close()
})

test('what was missed is noted also when the store takes that without an answer: no later start would look for it', async () => {
  const { missed, failed, expected, close } = await start(true, true)
  equal([missed, failed], [expected, 'the connection has ended'])
  await close()
})

test.run()

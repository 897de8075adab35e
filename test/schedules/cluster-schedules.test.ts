// Schedules of several hosts: each firing runs once, whoever is there to run it.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { masksOf } from '../../host/schedules/recurrence.ts'
import { Scheduler } from '../../host/schedules/scheduler.ts'
import { createEvents } from '../../host/system/events.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import type { Firing, Schedule } from '../../stores/store.ts'

process.env.TZ = 'UTC'
const due = new Date('2026-03-02T09:00:00Z')

/** The store that the hosts share. */
function createShared(count = 1) {
  const rows = new Map<number, Schedule>()
  for (let id = 1; id <= count; id += 1) {
    const since = new Date('2026-03-02T08:00:00Z').getTime()
    const row = { id, name: `s${id}`, type: 'task', task: 1, suspended: 0, since, by: 'admin' } as const
    rows.set(id, { ...masksOf(due), ...row })
  }
  const names = ['a', 'b', 'c']
  const runs: string[] = []
  const taken: string[] = []
  return {
    rows,
    taken,
    names,
    runs,
    async claim({ schedule, time }: Firing): Promise<boolean> {
      await Promise.resolve()
      const row = rows.get(schedule)
      if (!row || row.since >= time) return false
      row.since = time
      return true
    },
  }
}

type Shared = ReturnType<typeof createShared>
type Start = Parameters<typeof createManualClock>[0]

function openHost(name: string, common: Shared, { start = '2026-03-02T08:30:00Z' }: { start?: Start } = {}) {
  const log: string[] = []
  const lines = createLog(line => log.push(line))
  const events = createEvents(lines)
  const clock = createManualClock(start)
  const host = { isDraining: false, fails: false, losesAnswer: false, reads: 0 }
  const gapListeners: (() => void)[] = []
  const store = {
    tasks: { find: async () => undefined },
    schedules: {
      list: async () => [...common.rows.values()].map(row => ({ ...row })),
      async setSince() {
        throw new Error('expected a condition')
      },
    },
  }
  const scheduler = new Scheduler({
    cluster: {
      key: () => ({ name, epoch: 1 }),
      members: () => common.names.map(each => ({ name: each })),
      isLeader: () => common.names[0] === name,
      feed: { onGap: listener => void gapListeners.push(listener) },
      work: { claimFiring: firing => common.claim(firing) },
    },
    // `as`: the scheduler uses these methods only.
    store: store as never,
    clock,
    log: lines,
    events,
    isDraining: () => host.isDraining,
    onMissed: async () => {},
    onTaken: (schedule, time) => void common.taken.push(`${name} ${schedule.name} ${new Date(time).toISOString()}`),
    readQueues() {
      host.reads += 1
    },
    async run(schedule, firing) {
      if (host.fails) throw new Error('the database does not respond')
      if (!firing || !(await common.claim(firing))) return 'taken'
      common.runs.push(`${name} ${schedule.name}`)
      if (host.losesAnswer) throw new Error('the connection has ended')
      return 'done'
    },
  })
  return { host, scheduler, clock, events, log, gap: () => gapListeners.forEach(listener => void listener()) }
}

const settle = async () => {
  for (let tick = 0; tick < 5; tick += 1) await new Promise(setImmediate)
}

const test = suite('shared schedules')

test('200 schedules that are due at once on three hosts run once each, all on the leader', async () => {
  const common = createShared(200)
  const hosts = common.names.map(name => openHost(name, common))
  for (const { scheduler } of hosts) await scheduler.start()
  await Promise.all(hosts.map(({ clock }) => clock.advanceTo(due)))
  await settle()
  await Promise.all(hosts.map(({ clock }) => clock.advance(1000)))
  await settle()
  equal([common.runs.length, new Set(common.runs).size], [200, 200])
  ok(common.runs.every(run => run.startsWith('a ')))
  // The others see to it that each run is recorded.
  equal([common.taken.length, new Set(common.taken).size], [400, 400])
  is(hosts.flatMap(({ log }) => log).filter(line => line.includes('run started')).length, 200)
})

test('the next host runs what the leader does not: because it fails, it accepts no work, or it is gone', async () => {
  for (const reason of ['fails', 'drains', 'gone']) {
    const common = createShared()
    const [a, b, c] = common.names.map(name => openHost(name, common))
    if (!a || !b || !c) throw new Error('expected three hosts')
    a.host.fails = reason === 'fails'
    a.host.isDraining = reason === 'drains'
    for (const { scheduler } of [a, b, c]) await scheduler.start()
    if (reason === 'gone') a.scheduler.close()
    for (const { clock } of [a, b, c]) await clock.advanceTo(due)
    await settle()
    equal(common.runs, [])
    for (const { clock } of [a, b, c]) await clock.advance(300)
    await settle()
    for (const { clock } of [a, b, c]) await clock.advance(300)
    await settle()
    equal(common.runs, ['b s1'], reason)
    is(
      a.log.some(line => line.includes('not started')),
      reason === 'fails',
    )
  }
})

test('a host whose run was stored without an answer reads again what waits at it, the others do not', async () => {
  const common = createShared()
  const [a, b, c] = common.names.map(name => openHost(name, common))
  if (!a || !b || !c) throw new Error('expected three hosts')
  a.host.losesAnswer = true
  for (const { scheduler } of [a, b, c]) await scheduler.start()
  for (const { clock } of [a, b, c]) await clock.advanceTo(due)
  await settle()
  for (const { clock } of [a, b, c]) await clock.advance(1000)
  await settle()
  equal(common.runs, ['a s1'])
  equal(
    [a, b, c].map(({ host }) => host.reads),
    [1, 0, 0],
  )
})

test('hosts follow the schedules that another one adds, changes and removes, also after events were lost', async () => {
  const common = createShared()
  const a = openHost('a', common)
  await a.scheduler.start()
  const row = common.rows.get(1)
  if (!row) throw new Error('expected a row')
  common.rows.set(2, { ...row, id: 2, name: 's2' })
  a.events.relay({ type: 'schedule-added', schedule: 2 })
  await settle()
  equal(a.scheduler.ids(), [1, 2])
  common.rows.set(2, { ...row, id: 2, name: 's2', suspended: 1 })
  a.events.relay({ type: 'schedule-changed', schedule: 2 })
  await settle()
  equal(a.scheduler.ids(), [1])
  common.rows.delete(1)
  a.events.relay({ type: 'schedule-removed', schedule: 1 })
  await settle()
  equal(a.scheduler.ids(), [])
  common.rows.set(3, { ...row, id: 3 })
  a.gap()
  await settle()
  equal(a.scheduler.ids(), [3])
  // Its own changes are registered by whoever makes them.
  a.events.emit({ type: 'schedule-removed', schedule: 3 })
  equal(a.scheduler.ids(), [3])
  a.scheduler.close()
})

test('the time at which a schedule was added is not taken for a firing, its last one is', async () => {
  const common = createShared()
  await openHost('a', common).scheduler.start()
  equal(common.taken, [])
  await common.claim({ schedule: 1, time: due.getTime() })
  await openHost('b', common, { start: '2026-03-02T09:00:05Z' }).scheduler.start()
  equal(common.taken, ['b s1 2026-03-02T09:00:00.000Z'])
})

test('runs that were missed while no host was there are reported once, by the first host', async () => {
  const common = createShared()
  const start = '2026-03-02T10:00:00Z'
  const hosts = common.names.map(name => openHost(name, common, { start }))
  await Promise.all(hosts.map(({ scheduler }) => scheduler.start()))
  const missed = hosts.map(({ log }) => log.filter(line => line.includes('missed 2026-03-02T09:00:00')).length)
  equal(missed, [1, 0, 0])
  is(common.rows.get(1)?.since, new Date(start).getTime())
})

test.run()

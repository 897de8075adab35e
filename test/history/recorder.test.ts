// What is recorded, and what is not: restarts, clocks that are set, hosts that replace each other, a store that fails.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import type { Store } from '../../stores/store.ts'
import { addr, changesOf, gapsOf, minute, openStore, startHistory } from '../harness/history-lab.ts'

const test = suite('recorder of the history')

test('each five minutes are counted, and each change has its time; names are not recorded without the option', async () => {
  for (const users of [false, true]) {
    const host = startHistory(await openStore(), undefined, { users })
    await host.count()
    await host.clock.advance(minute)
    host.emit({ type: 'wake-sent', addr })
    await host.clock.advance(minute)
    host.emit({ type: 'client-connected', addr })
    host.set('linux')
    await host.clock.advance(minute)
    host.login('anna')
    await host.count()
    const { free, in_use, off } = (await host.rooms()) ?? {}
    equal(
      [free, in_use, off],
      [
        [null, 0],
        [null, 0],
        [null, 2],
      ],
    )
    await host.count()
    equal((await host.rooms())?.in_use, [null, 0, 1])
    const history = await host.client()
    equal(changesOf(history), [
      ['08:05:00', 'off', false],
      ['08:06:00', 'waking', false],
      ['08:07:00', 'linux', false],
      ['08:08:00', 'linux', true, ...(users ? ['anna'] : [])],
    ])
    equal([gapsOf(history), history.to.slice(11, 16)], [['08:00-08:05'], '08:15'])
    await host.close()
  }
})

test('a connection that breaks for a moment is no change', async () => {
  const host = startHistory(await openStore())
  host.set('linux')
  await host.count()
  await host.clock.advance(minute)
  host.leave()
  await host.clock.advance(5000)
  host.set('linux')
  await host.count()
  equal(changesOf(await host.client()), [['08:05:00', 'linux', false]])
})

test('counts that stay the same are stored once an hour, and read at once', async () => {
  const store = await openStore()
  const host = startHistory(store)
  const version = async () =>
    (await store.documents.find({ pack: '', collection: 'history-counts', key: '2026-09-14T08' }))?.version
  await host.count(3)
  is(await version(), 1)
  equal((await host.rooms())?.off, [null, 2, 2])
  is(await version(), 2)
  await host.count(8)
  is(await version(), 2)
  await host.count()
  is(await version(), 3)
  equal((await host.rooms({ step: 'hour' }))?.off, [2])
})

test('the time in which no daemon ran is a gap, also a short one in which no count is missing', async () => {
  const store = await openStore()
  const first = startHistory(store)
  first.set('linux')
  await first.count(3)
  await first.close()
  await first.clock.advance(minute)
  const second = startHistory(store, first.clock)
  second.set('linux')
  await second.count(2)
  await second.close()
  await second.clock.advance(20 * minute)
  const third = startHistory(store, first.clock)
  await third.count(2)
  const history = await third.client()
  equal(gapsOf(history), ['08:00-08:05', '08:15-08:20', '08:25-08:50'])
  equal(changesOf(history), [
    ['08:05:00', 'linux', false],
    ['08:20:00', 'linux', false],
    ['08:50:00', 'off', false],
  ])
  equal((await third.rooms())?.free, [null, 1, 1, 1, 1, 1, null, null, null, null, 0])
})

test('a start shortly before a count leaves it out, as agents are not back yet', async () => {
  const host = startHistory(await openStore(), createManualClock('2026-09-14T08:04:00Z'))
  await host.count(2)
  equal((await host.rooms())?.off, [null, null])
  await host.count()
  equal((await host.rooms())?.off, [null, null, 2])
})

test('a clock that is set forward leaves a gap; what comes again when it is set back is recorded once', async () => {
  const store = await openStore()
  const host = startHistory(store)
  host.set('linux')
  await host.count(2)
  host.clock.setForward(30 * minute)
  await host.count(2)
  host.clock.setForward(-10 * minute)
  host.leave()
  await host.count(3)
  const history = await host.client()
  equal(gapsOf(history), ['08:00-08:05', '08:10-08:45', '08:50-08:55'])
  equal(changesOf(history), [
    ['08:05:00', 'linux', false],
    ['08:45:00', 'linux', false],
    ['08:55:00', 'off', false],
  ])
})

test('of two hosts the leader counts; when another one leads, and when both do, each time is counted once', async () => {
  const store = await openStore()
  const clock = createManualClock('2026-09-14T08:01:00Z')
  const [a, b] = [startHistory(store, clock), startHistory(store, clock)]
  for (const host of [a, b]) {
    host.member.count = 2
    host.set('linux')
  }
  b.member.isLeader = false
  const both = async () => {
    await clock.advance(5 * minute - (clock.now() % (5 * minute)))
    for (const host of [a, b]) await host.check()
  }
  await both()
  await both()
  equal((await b.rooms())?.free, [null, 1])
  a.member.isLeader = false
  b.member.isLeader = true
  await both()
  a.member.isLeader = true
  await both()
  await both()
  equal((await a.rooms())?.free, [null, 1, 1, 1, 1])
  b.member.onChange()
  await b.count()
  const history = await a.client()
  // Each of them knows only what it has seen itself.
  equal(gapsOf(history), ['08:00-08:05', '08:10-08:15', '08:15-08:20'])
  equal(
    changesOf(history),
    ['08:05:00', '08:15:00', '08:20:00'].map(time => [time, 'linux', false]),
  )
})

test('a fault of the store leaves a gap and a line in the log, and the next count goes on', async () => {
  const store = await openStore()
  let isFull = false
  const documents = { ...store.documents }
  const failing: Store = { ...store, documents }
  documents.put = (...args) => (isFull ? Promise.reject(new Error('disk full')) : store.documents.put(...args))
  const host = startHistory(failing)
  await host.count()
  isFull = true
  host.set('linux')
  await host.count(2)
  isFull = false
  await host.count(2)
  match(host.lines.join('\n'), /history: not stored: disk full/)
  const history = await host.client()
  equal(gapsOf(history), ['08:00-08:05', '08:05-08:20'])
  equal(changesOf(history), [
    ['08:05:00', 'off', false],
    ['08:20:00', 'linux', false],
  ])
})

test('what is older than the option says is deleted, and with 0 days nothing is recorded', async () => {
  const store = await openStore()
  const host = startHistory(store, undefined, {}, { history_days: 2 })
  await host.count()
  for (let day = 0; day < 4; day += 1) {
    await host.clock.advance(86_400_000 - 5 * minute)
    await host.count()
  }
  const keysOf = async (collection: string) =>
    (await store.documents.list({ pack: '', collection }, { limit: 99 })).map(({ key }) => key)
  equal(await keysOf('history-counts'), ['2026-09-16T08', '2026-09-17T08', '2026-09-18T08'])
  equal(await keysOf('history-changes'), ['2026-09-16/0', '2026-09-17/0', '2026-09-18/0'])
  await startHistory(store, createManualClock('2026-09-18T09:31:00Z'), {}, { history_days: 0 }).count(6)
  equal([...(await keysOf('history-counts')), ...(await keysOf('history-changes'))], [])
  const none = await openStore()
  await startHistory(none, undefined, {}, { history_days: 0 }).count(3)
  equal(await none.documents.sizes(), [])
})

test('a day begins with the state of each computer, so that it is known without the days before', async () => {
  const host = startHistory(await openStore(), createManualClock('2026-09-14T23:41:00Z'))
  host.set('windows')
  await host.count(5)
  const history = await host.client({ from: '2026-09-15' })
  equal(changesOf(history), [['00:00:00', 'windows', false]])
  equal(history.gaps, [])
})

test.run()

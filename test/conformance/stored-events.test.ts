// The rules for events that are stored in the step of their writes.
import * as assert from 'uvu/assert'
import type { Store } from '../../stores/store.ts'
import { entriesOf, storedEventsOf, toStream } from './fill.ts'
import type { Rule } from './rule.ts'
import { conformance } from './stores.ts'
import { upTo } from './work-samples.ts'

export const runs = { postgres: true }

const all = ['image-added', 'image-changed']

/** A center is added with an event. */
const addEvent = (store: Store, name: string, type = 'image-added') =>
  store.storedEvents.recording(
    center => (center === undefined ? [] : [{ type, center, name }]),
    recording => recording.centers.add({ name, comment: '' }),
  )

async function addEvents(store: Store, count: number, from = 0): Promise<number[]> {
  for (const at of upTo(count)) await addEvent(store, `center ${from + at}`)
  return (await store.storedEvents.read(0, 1000)).map(({ id }) => id)
}

function recording(rule: Rule): void {
  rule('events of recorded types are added with their write, in their order, and read from an id on', async store => {
    const began = Date.now()
    await addEvent(store, 'not recorded')
    store.storedEvents.record(['image-added', 'image-removed'])
    await addEvent(store, 'a')
    await addEvent(store, 'another type', 'image-changed')
    await addEvent(store, 'b', 'image-removed')
    const events = await store.storedEvents.read(0, 10)
    const [a, b] = events
    assert.equal(
      events.map(({ event }) => event),
      [
        { type: 'image-added', center: 2, name: 'a' },
        { type: 'image-removed', center: 4, name: 'b' },
      ],
    )
    assert.ok(a && b && b.id > a.id && a.id > 0)
    assert.ok(a.time >= began && b.time >= a.time && b.time <= Date.now())
    assert.equal(await store.storedEvents.read(0, 1), [a])
    assert.equal(await store.storedEvents.read(a.id, 10), [b])
    assert.equal(await store.storedEvents.read(b.id, 10), [])
    assert.equal(await store.storedEvents.state(), { last: b.id })
    store.storedEvents.record([])
    await addEvent(store, 'c')
    assert.is((await storedEventsOf(store)).length, 2)
  })

  rule('a write that is refused or fails adds no event, and without its events nothing is written', async store => {
    store.storedEvents.record(all)
    await addEvent(store, 'a')
    assert.is(await addEvent(store, 'a'), undefined)
    const centers = (await store.scopes()).length
    const failed = store.storedEvents.recording(
      () => {
        throw new Error('no event')
      },
      recording => recording.centers.add({ name: 'b', comment: '' }),
    )
    assert.is(await failed.catch(error => error.message), 'no event')
    assert.equal([(await store.scopes()).length, (await storedEventsOf(store)).length], [centers, 1])
    await addEvent(store, 'b')
    assert.is((await storedEventsOf(store)).length, 2)
  })

  rule('no reader sees an event before all of those with lower ids', async store => {
    store.storedEvents.record(all)
    const read: number[] = []
    let isRunning = true
    const writing = Promise.all(upTo(60).map(at => addEvent(store, `${at}`))).finally(() => {
      isRunning = false
    })
    for (let isLast = false; !isLast; ) {
      isLast = !isRunning
      read.push(...(await store.storedEvents.read(read.at(-1) ?? 0, 7)).map(({ id }) => id))
    }
    await writing
    for (const { id } of await store.storedEvents.read(read.at(-1) ?? 0, 100)) read.push(id)
    assert.equal(
      read,
      (await store.storedEvents.read(0, 100)).map(({ id }) => id),
    )
    assert.is(read.length, 60)
  })

  rule(
    'events, and the last id when there are none, are there when the store is opened again',
    async (store, { reopen }) => {
      if (!reopen) return
      store.storedEvents.record(all)
      const ids = await addEvents(store, 3)
      const before = await store.storedEvents.read(0, 10)
      const opened = await reopen()
      assert.equal(await opened.storedEvents.read(0, 10), before)
      await opened.storedEvents.trim(ids[2] ?? 0, 10)
      await addEvent(opened, 'not recorded')
      const again = await reopen()
      assert.equal([await again.storedEvents.state(), await storedEventsOf(again)], [{ last: ids[2] }, []])
      again.storedEvents.record(all)
      const [next = 0] = await addEvents(again, 1, 5)
      assert.ok(next > (ids[2] ?? 0))
    },
  )

  rule('a dump has no events, and loading it deletes those that there are and assigns no id again', async store => {
    store.storedEvents.record(all)
    const ids = await addEvents(store, 4)
    const [last = 0] = ids.slice(-1)
    await store.storedEvents.trim(0, 2)
    const entries = await entriesOf(store)
    assert.equal(
      entries.filter(([name]) => name === 'events'),
      [['events', last]],
    )
    await addEvents(store, 2, 4)
    const { last: later } = await store.storedEvents.state()
    await store.backup.load(toStream(entries))
    assert.equal([await store.storedEvents.state(), await storedEventsOf(store)], [{ last: later }, []])
    const higher = entries.map(([name, row]) =>
      name === 'events' ? ([name, later + 50] as const) : ([name, row] as const),
    )
    await store.backup.load(toStream(higher))
    assert.equal(await store.storedEvents.state(), { last: later + 50 })
    assert.equal(await addEvents(store, 1, 10), [later + 51])
  })
}

function trimming(rule: Rule): void {
  rule('events that were read are deleted, and of the others only the newest are kept', async store => {
    store.storedEvents.record(all)
    const ids = await addEvents(store, 10)
    const events = await store.storedEvents.read(0, 10)
    const rest = async () => (await store.storedEvents.read(0, 100)).map(({ id }) => id)
    const last = ids[9] ?? 0
    await store.storedEvents.trim(ids[1] ?? 0, 8)
    assert.equal([await rest(), await store.storedEvents.state()], [ids.slice(2), { last }])
    await store.storedEvents.trim(ids[2] ?? 0, 4)
    const times = (from: number, to: number) => ({ since: events[from]?.time, until: events[to]?.time })
    assert.equal(
      [await rest(), await store.storedEvents.state()],
      [ids.slice(6), { last, lost: { id: ids[5], ...times(3, 5) } }],
    )
    await store.storedEvents.trim(0, 3)
    assert.equal(await store.storedEvents.state(), { last, lost: { id: ids[6], ...times(3, 6) } })
    await store.storedEvents.trim(0, 3)
    assert.equal(await store.storedEvents.state(), { last, lost: { id: ids[6], ...times(3, 6) } })
    await store.storedEvents.trim(ids[6] ?? 0, 3)
    assert.equal([await rest(), await store.storedEvents.state()], [ids.slice(7), { last }])
    await store.storedEvents.trim(ids[6] ?? 0, 0)
    assert.equal([await rest(), await store.storedEvents.state()], [[], { last, lost: { id: last, ...times(7, 9) } }])
    await store.storedEvents.trim(last, 0)
    assert.equal(await store.storedEvents.state(), { last })
  })

  rule('a loss is known after the store was opened again', async (store, { reopen }) => {
    if (!reopen) return
    store.storedEvents.record(all)
    await addEvents(store, 4)
    await store.storedEvents.trim(0, 1)
    const state = await store.storedEvents.state()
    assert.is(state.lost?.id, state.last - 1)
    assert.equal(await (await reopen()).storedEvents.state(), state)
  })
}

conformance({ storedEvents: recording, storedEventsLost: trimming })

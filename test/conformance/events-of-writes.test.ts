// The rule that writes store the events that they emit.
import * as assert from 'uvu/assert'
import { fleetEvents } from '../../host/contract/fleet-events.ts'
import { createLog } from '../../host/log/log.ts'
import { observeStore } from '../../host/store/observed-store.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import type { Store } from '../../stores/store.ts'
import { storedEventsOf } from './fill.ts'
import type { Rule } from './rule.ts'
import { addCenter, addLab, addRoom, computer, createdImage, image, room, software } from './samples.ts'
import { conformance } from './stores.ts'
import { token, user } from './token-samples.ts'
import { procedure, schedule } from './work-samples.ts'

export const runs = { postgres: true }

function ofWrites(rule: Rule): void {
  rule('each write of the observed store stores the events that it emits', async opened => {
    const emitted: FleetEvent[] = []
    const events = createEvents(createLog(() => {}))
    events.on(event => emitted.push(event))
    const { store } = observeStore(opened, events, () => {})
    store.storedEvents.record(Object.keys(fleetEvents))
    await writeAll(store)
    const stored = await storedEventsOf(store)
    // Through JSON, which leaves out undefined values.
    assert.equal(stored, JSON.parse(JSON.stringify(emitted)))
    assert.ok(stored.length > 25)
    store.storedEvents.record(['user-added'])
    await store.users.add(user('late'))
    assert.is((await storedEventsOf(store)).length, stored.length)
    const [added] = emitted.filter(({ type }) => type === 'account-added')
    assert.equal(added, { type: 'account-added', kind: 'token', account: 1, name: 'robot' })
    assert.equal(
      emitted.findLast(({ type }) => type === 'account-removed'),
      { type: 'account-removed', kind: 'user', account: 1, name: 'root' },
    )
  })
}

/** Writes of each kind, some of which change nothing. */
async function writeAll(store: Store): Promise<void> {
  const lab = await addLab(store, '10.0.0.1', '10.0.0.2')
  const center = (await store.rooms.find(lab))?.center ?? 0
  const other = await addRoom(store, center, 'other')
  await store.rooms.update({ ...room(center, 'renamed'), id: other })
  await store.computers.add([computer(lab, '10.0.0.1')])
  await store.computers.update(['10.0.0.1'], { name: 'renamed' })
  await store.computers.update(['10.0.0.1'], { room: 99 })
  const [first] = await store.computers.list()
  await store.computers.merge([{ id: first?.id ?? 0, ip: '10.0.0.7' }, computer(other, '10.0.0.8')])
  await store.computers.delete(['10.0.0.2', '10.0.0.99'])
  await store.repositories.update({ id: 1, slots: 4 })
  await store.repositories.add({ name: 'second', ip: '10.9.9.9', slots: 2 })
  const id = (await store.images.add(image('debian'))) ?? 0
  await store.images.add(image('debian'))
  await store.images.setOwner(id, { center_id: center })
  await store.images.recordCreate('10.0.0.7', createdImage(id, software('Debian', 'vim'), 2, 5))
  await store.images.delete(id)
  await store.images.delete(id)
  await writeSchedules(store, center)
  for (const accounts of [store.tokens, store.users]) {
    // A token has the values of a user, and more.
    const sample = token(accounts === store.users ? 'root' : 'robot')
    const account = Number(await accounts.add(sample))
    await accounts.add(sample)
    await accounts.update(account, { disabled: true })
    await accounts.delete(account)
    await accounts.delete(account)
  }
  const group = Number(await store.groups.add({ name: 'exam', where: 'tag:exam' }))
  await store.groups.add({ name: 'exam', clients: [] })
  await store.groups.update({ id: group, name: 'seats', clients: [] })
  await store.groups.update({ id: 99, name: 'other', clients: [] })
  for (const id of [group, group]) await store.groups.delete(id)
  await store.rooms.delete(other)
  await addCenter(store, 'empty')
  await store.centers.delete(center)
}

async function writeSchedules(store: Store, center: number): Promise<void> {
  const added = await store.schedules.add(schedule())
  await store.schedules.update({ ...schedule(), id: added, name: 'renamed' })
  await store.schedules.update({ ...schedule(), id: 999 })
  const command = { clients: ['10.0.0.7'], command: 'reboot', params: {} }
  const later = await store.schedules.addScheduledCommand(command, schedule())
  const { type: _type, task: _task, ...firing } = schedule()
  const { steps: _steps, ...task } = procedure(center, 'planned')
  await store.schedules.addPlannedRestore({ procedure: procedure(center, 'planned'), task, schedule: firing })
  for (const id of [added, later, later]) await store.schedules.delete(id)
}

conformance({ eventsOfWrites: ofWrites })

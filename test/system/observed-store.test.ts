// What the daemon observes of its store: the time of each write, and the events of changes.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { observeStore } from '../../host/store/observed-store.ts'
import { createEvents } from '../../host/system/events.ts'
import { openFailingStore } from '../harness/failing-store.ts'
import { layout } from '../harness/lab-images.ts'
import { computer, image, openObservedStore, report, room } from '../harness/observed-store-setup.ts'
import { startTestHost } from '../harness/test-host.ts'

const addr = computer.ip
const ignore = () => {}

const writes = suite('store writes')

writes('every write is timed, reads are not', async () => {
  const { store, times } = await openObservedStore()
  const counted = async (call: () => Promise<unknown>) => {
    times.length = 0
    await call()
    return times.length
  }
  is(await counted(() => store.inventory.refresh(addr, report)), 1)
  is(await counted(() => store.inventory.setHardware(addr, [])), 1)
  is(await counted(() => store.inventory.setSoftware(addr, 1, 1, { os: '', programs: [] })), 1)
  is(await counted(() => store.images.recordRestore(addr, { id: 1, disk: 1, partition: 1, version: 0, at: 0 })), 1)
  is(await counted(() => store.repositories.delete(9)), 1)
  is(await counted(() => store.rooms.update({ ...room, id: 1 })), 1)
  is(await counted(() => store.procedures.delete(9)), 1)
  is(await counted(() => store.tasks.delete(9)), 1)
  is(await counted(() => store.schedules.setSince(9, 0)), 1)
  is(await counted(() => store.jobs.trim({ before: 0, keep: 9 })), 1)
  is(await counted(() => store.tokens.setUsed([])), 1)
  is(await counted(() => store.users.delete(9)), 1)
  is(await counted(() => store.scopes()), 0)
  is(await counted(() => store.computers.find(addr)), 0)
  is(await counted(() => store.inventory.partitions(addr)), 0)
  is(await counted(() => store.schedules.list()), 0)
  is(await counted(() => store.jobs.unfinished()), 0)
  is(await counted(() => store.tokens.list()), 0)
  is(await counted(() => store.users.list()), 0)
  is(await counted(() => store.backup.isEmpty()), 0)
})

writes('methods of a store that is made of classes keep their object', async () => {
  class Computers {
    #count = 3
    async delete() {
      this.#count -= 1
      return []
    }
    async list() {
      return this.#count
    }
  }
  const memory = await openFailingStore()
  // `as`: a class with the two methods that this test calls stands for a whole group.
  const computers = new Computers() as unknown as typeof memory.computers
  const { store } = observeStore({ ...memory, computers }, createEvents(createLog(ignore)), ignore)
  await store.computers.delete([])
  equal(await store.computers.list(), 2)
})

writes('only writes that may have an event of a recorded type are made with their events', async () => {
  const memory = await openFailingStore()
  const recorded: string[] = []
  const storedEvents: typeof memory.storedEvents = {
    ...memory.storedEvents,
    recording(derive, call) {
      recorded.push('recording')
      return memory.storedEvents.recording(derive, call)
    },
  }
  const observed = observeStore({ ...memory, storedEvents }, createEvents(createLog(ignore)), ignore)
  const { store } = observed
  observed.onRecord(types => recorded.push(types.join()))
  await store.images.add(image)
  store.storedEvents.record(['image-removed', 'job-finished'])
  await store.images.setOwner(1, { center_id: 0 })
  await store.schedules.delete(7)
  equal(recorded, ['image-removed,job-finished'])
  await store.images.delete(1)
  equal(recorded, ['image-removed,job-finished', 'recording'])
  const [stored] = await store.storedEvents.read(0, 9)
  equal(stored?.event, { type: 'image-removed', image: 1, name: image.name })
})

writes('changes of computers, images and schedules emit events', async () => {
  const { store, events } = await openObservedStore()
  const other = { ...computer, ip: '10.0.0.2' }
  await store.computers.add([other])
  await store.computers.add([other])
  await store.computers.update([addr], { name: 'new' })
  await store.computers.update([addr], { room: 1 })
  await store.computers.update([other.ip], { ip: '10.0.0.3' })
  await store.computers.update(['10.0.0.3'], { ip: other.ip })
  await store.computers.delete([other.ip])
  await store.rooms.delete(1)
  await store.rooms.delete(1)
  await store.images.add(image)
  await store.images.add(image)
  await store.images.delete(1)
  await store.images.delete(1)
  await store.schedules.delete(1)
  equal(JSON.parse(JSON.stringify(events)), [
    { type: 'computer-added', computers: [{ ip: other.ip, room: 1 }] },
    { type: 'computer-changed', addrs: [addr] },
    { type: 'computer-changed', addrs: [addr], room: 1 },
    { type: 'computer-changed', addrs: [other.ip], ip: '10.0.0.3' },
    { type: 'list-changed', list: 'tasks' },
    { type: 'computer-changed', addrs: ['10.0.0.3'], ip: other.ip },
    { type: 'list-changed', list: 'tasks' },
    { type: 'computer-removed', computers: [{ ip: other.ip, room: 1 }] },
    { type: 'computer-removed', computers: [{ ip: addr, room: 1 }] },
    { type: 'list-changed', list: 'rooms' },
    { type: 'image-added', image: 1, name: 'ubuntu' },
    { type: 'image-removed', image: 1, name: 'ubuntu' },
  ])
})

writes(
  'a merge emits one event for each kind of change, and computers with new addresses are removed and added',
  async () => {
    const { store, events } = await openObservedStore()
    await store.rooms.add({ ...room, name: 'Other' })
    const addrs = [2, 3, 4, 5].map(number => `10.0.0.${number}`)
    await store.computers.add(addrs.map(ip => ({ ...computer, ip })))
    const ids = new Map((await store.computers.list()).map(({ id, ip }) => [ip, id]))
    const change = (number: number, values: object) => ({ id: ids.get(`10.0.0.${number}`) ?? 0, ...values })
    events.length = 0
    const { conflicts } = await store.computers.merge([
      change(2, { name: 'new' }),
      { ...computer, ip: '10.0.0.9' },
      change(3, { room: 2 }),
      change(4, { ip: '10.0.0.5', room: 2 }),
      change(5, { ip: '10.0.0.4' }),
    ])
    await store.computers.merge([{ id: 99 }])
    equal(
      [conflicts, JSON.parse(JSON.stringify(events))],
      [
        [],
        [
          { type: 'computer-changed', addrs: ['10.0.0.2'] },
          { type: 'computer-changed', addrs: ['10.0.0.3'], room: 2 },
          {
            type: 'computer-removed',
            computers: [
              { ip: '10.0.0.4', room: 1 },
              { ip: '10.0.0.5', room: 1 },
            ],
          },
          { type: 'list-changed', list: 'tasks' },
          {
            type: 'computer-added',
            computers: [
              { ip: '10.0.0.9', room: 1 },
              { ip: '10.0.0.5', room: 2 },
              { ip: '10.0.0.4', room: 1 },
            ],
          },
        ],
      ],
    )
  },
)

writes('the metric fleet_store_write_seconds counts a refresh', async () => {
  const lab = await startTestHost()
  const countWrites = async () =>
    Number(/^fleet_store_write_seconds_count (\d+)$/m.exec((await lab.call('GET /metrics')).text)?.[1])
  await lab.addComputer('127.0.0.2')
  const before = await countWrites()
  await lab.agent('127.0.0.2', { refresh: { status: 200, body: layout } })
  is((await countWrites()) > before, true)
  await lab.stop()
})

writes.run()

// Histories of inventories when a write fails in between, when two hosts write one, and when its computer is deleted.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { historyCollection } from '../../host/store/inventory-history.ts'
import { recordInventory } from '../../host/store/recorded-inventory.ts'
import openMemory from '../../stores/memory/index.ts'
import type { Store } from '../../stores/store.ts'
import { addRoom, computer } from '../conformance/samples.ts'

const test = suite('recorded inventories')
const ip = '10.0.0.1'
const first = [{ type: 'memory', description: '8 GiB' }]
const second = [{ type: 'memory', description: '4 GiB' }]

async function start() {
  const store = await openMemory({ adapter: 'memory', path: '' }, createLog())
  const center = (await store.centers.add({ name: 'c', comment: '' })) ?? 0
  const room = await addRoom(store, center, 'r')
  await store.computers.add([computer(room, ip)])
  let now = 1_000_000
  const recorded = recordInventory(store, { now: () => now++, after: () => () => {} })
  await recorded.inventory.setHardware(ip, first)
  return { store, recorded, center, room }
}

const historiesIn = async (store: Store) =>
  (await store.documents.list(historyCollection, { limit: 10 })).map(({ value }) => JSON.parse(value))

const changesIn = async (store: Store) =>
  (await historiesIn(store)).flatMap(({ changes }) =>
    changes.map(({ added, removed }: { added: string[]; removed: string[] }) => [added, removed].flat()),
  )

test('a change whose inventory was not stored is there once when the inventory comes again', async () => {
  const { store, recorded } = await start()
  const { setHardware } = store.inventory
  store.inventory.setHardware = () => Promise.reject(new Error('the end'))
  await recorded.inventory.setHardware(ip, second).then(
    () => is('stored', 'not stored'),
    error => is(error.message, 'the end'),
  )
  const change = ['memory: 4 GiB', 'memory: 8 GiB']
  equal(await changesIn(store), [change])
  store.inventory.setHardware = setHardware
  await recorded.inventory.setHardware(ip, second)
  await recorded.inventory.setHardware(ip, second)
  equal(await changesIn(store), [change])
  await recorded.inventory.setHardware(ip, first)
  equal(await changesIn(store), [change, change.toReversed()])
})

test('a change is kept that another host has stored meanwhile', async () => {
  const { store, recorded } = await start()
  const { find } = store.documents
  store.documents.find = async key => {
    store.documents.find = find
    const before = await find(key)
    await recorded.inventory.setSoftware(ip, 1, 1, { os: 'Debian', programs: ['vim 9'] })
    await recorded.inventory.setSoftware(ip, 1, 1, { os: 'Debian', programs: ['vim 9', 'ed 1'] })
    return before
  }
  await recorded.inventory.setHardware(ip, second)
  equal(await changesIn(store), [['ed 1'], ['memory: 4 GiB', 'memory: 8 GiB']])
})

type OpenedStore = Awaited<ReturnType<typeof start>>

const removals: Readonly<Record<string, (opened: OpenedStore) => Promise<unknown>>> = {
  'its record': ({ recorded }) => recorded.computers.delete([ip]),
  'its room': ({ recorded, room }) => recorded.rooms.delete(room),
  'its center': ({ recorded, center }) => recorded.centers.delete(center),
}

for (const [what, remove] of Object.entries(removals)) {
  test(`the history of a computer goes with ${what}`, async () => {
    const lab = await start()
    is((await historiesIn(lab.store)).length, 1)
    await remove(lab)
    equal(await historiesIn(lab.store), [])
  })
}

test.run()

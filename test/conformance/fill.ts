// Fills a store with rows of every collection, and reads everything that a store returns, or its dump.
import type { Entry, Store } from '../../stores/store.ts'
import { addCenter, addRoom, computer, createdImage, image, report, restoredImage, row, software } from './samples.ts'
import { token, user } from './token-samples.ts'
import { allWork, fillWork } from './work-samples.ts'

export async function fill(store: Store, name: string): Promise<void> {
  const center = await addCenter(store, name)
  const lab = await addRoom(store, center)
  const ips = [1, 2, 3].map(at => `${name}.${at}`)
  await store.computers.add(ips.map((ip, at) => computer(lab, ip, at === 0 ? { place: { row: 1, column: 2 } } : {})))
  const id = (await store.images.add(image(name, { room_id: 1 }))) ?? 0
  for (const ip of ips) {
    const rows = [row(0), row(1, `system ${name}`), row(2, '', { filesystem: `filesystem ${name}` })]
    await store.inventory.refresh(ip, { rows, serial_number: ip })
    await store.inventory.setHardware(ip, [{ type: 'disk', description: name }])
  }
  const [one = '', two = '', three = ''] = ips
  await store.images.recordCreate(one, createdImage(id, software(`system ${name}`, 'vim', name), 2, 1_700_000_000_000))
  await store.images.recordRestore(two, restoredImage(id))
  await store.inventory.setSoftware(two, 2, 1, software('other', 'gone'))
  await store.inventory.refresh(two, report(row(0)))
  await store.repositories.add({ name, ip: '10.9.9.9', slots: 10 })
  const group = Number(await store.groups.add({ name, where: `room:${name}` }))
  await store.groups.add({ name: `list ${name}`, clients: ips })
  const note = { at: 1_700_000_000_000, by: name, account: '' }
  await store.undo.keep(note, bound => bound.computers.delete([three]))
  await store.tokens.add(token(name, { centers: [center], rooms: [lab], groups: [group] }))
  await store.users.add(user(name, { rooms: [lab] }))
  await fillWork(store, name, center)
  await store.documents.put({ pack: name, collection: 'rules', key: name, value: JSON.stringify({ name }) })
  await store.documents.put({ pack: '', collection: 'settings', key: name, value: '{"enabled":true}' })
}

export async function everything(store: Store): Promise<unknown> {
  const tree = await store.scopes()
  const ips = tree
    .flatMap(center => center.scope.flatMap(room => room.scope))
    .flatMap(node => ('ip' in node ? [node.ip] : []))
  const rooms = tree.flatMap(center => center.scope.map(room => room.id))
  const computers = ips.map(async ip => ({
    computer: await store.computers.find(ip),
    partitions: await store.inventory.partitions(ip),
    sessions: await store.inventory.sessions(ip),
    hardware: await store.inventory.hardware(ip),
    software: await store.inventory.software(ip, 1, 1),
  }))
  return {
    tree,
    rooms: await Promise.all(rooms.map(id => store.rooms.find(id))),
    computers: await Promise.all(computers),
    images: await store.images.list(),
    imageUses: await store.images.uses(),
    imageCopies: await store.images.copies(),
    repositories: await store.repositories.list(),
    groups: await store.groups.list(),
    tokens: await store.tokens.list(),
    users: await store.users.list(),
    work: await allWork(store),
    documents: await documentsOf(store),
    packs: await store.documents.sizes(),
    undos: await store.undo.list(),
  }
}

async function documentsOf(store: Store) {
  const packs = await store.documents.sizes()
  const collections = packs.flatMap(({ pack }) => ['rules', 'settings'].map(collection => ({ pack, collection })))
  return Promise.all(collections.map(collection => store.documents.list(collection, { limit: 100 })))
}

export async function entriesOf(store: Store): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of store.backup.dump()) entries.push(entry)
  return entries
}

export async function* toStream(entries: Entry[]): AsyncGenerator<Entry> {
  yield* entries
}

/** All stored events. */
export const storedEventsOf = async (store: Store) =>
  (await store.storedEvents.read(0, 10_000)).map(({ event }) => event)

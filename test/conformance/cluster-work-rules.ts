// What two hosts do at the same moment in one database, each with a store of its own.
import type { Store } from '../../stores/store.ts'
import { computer, createdImage, image, report, restoredImage, room, row, software } from './samples.ts'
import { token, user } from './token-samples.ts'
import { success, upTo } from './work-samples.ts'

/** Ids that were assigned, by collection; undefined or a text where the name was taken. */
export type Added = Record<string, unknown[]>

export const names = upTo(12).map(at => `name ${at}`)
export const address = (name: string) => `10.9.0.${name.split(' ')[1]}`

/** Adds rows with the same names as the other host, all at once. Room 1 and center 1 exist. */
export async function addNames(store: Store): Promise<Added> {
  const collections: Record<string, (name: string) => Promise<unknown>> = {
    centers: name => store.centers.add({ name, comment: '' }),
    rooms: name => store.rooms.add(room(1, name)),
    repositories: name => store.repositories.add({ name, ip: '' }),
    images: name => store.images.add(image(name)),
    tokens: name => store.tokens.add(token(name, { rooms: [1] })),
    users: name => store.users.add(user(name)),
    async computers(name) {
      const ip = address(name)
      const conflicts = await store.computers.add([computer(1, ip)])
      return conflicts.length > 0 ? undefined : (await store.computers.find(ip))?.id
    },
  }
  const adding = Object.entries(collections).map(async ([key, add]) => [key, await Promise.all(names.map(add))])
  return Object.fromEntries(await Promise.all(adding))
}

export const partCount = 300

/** Ends all parts of job 1, many at a time; `side` 1 begins at the end. */
export async function endParts(store: Store, side: number): Promise<void> {
  const indexes = side === 0 ? upTo(partCount) : upTo(partCount).reverse()
  const updates = upTo(6).map(at => indexes.slice(at * 40, at * 40 + 100).map(index => success(1, index, `${index}`)))
  await Promise.all(updates.map(each => store.jobs.update(each)))
}

/** Reports other disks than the other host, for one computer and with shared names. */
export async function writeDisks(store: Store, side: number, ip: string): Promise<void> {
  const installed = software(`system ${side}`, 'vim', `only ${side}`)
  const image = (await store.images.find('shared'))?.id ?? 0
  const disks = report(row(1, `system ${side}`), row(2 + side, '', { filesystem: `FS ${side}` }))
  for (const _ of upTo(8)) {
    await Promise.all([
      store.inventory.refresh(ip, { ...disks, serial_number: `${side}` }),
      store.inventory.setSoftware(ip, 1, 1, installed),
      store.inventory.setHardware(ip, [{ type: 'cpu', description: `of host ${side}` }]),
      store.images.recordCreate(ip, createdImage(image, installed)),
      store.images.recordRestore(ip, restoredImage(image)),
    ])
  }
}

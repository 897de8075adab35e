// Images of partitions.
import type { Image, ImageUse, New, Store } from '../store.ts'
import { setPartition } from './inventory.ts'
import { internName, internProfile, readProfile, readSystem, toSoftware, toSoftwareTexts } from './profiles.ts'
import type { StoreContext } from './tables/store-context.ts'
import type { Tables } from './tables/tables.ts'
import type { Transaction } from './tables/transaction.ts'

export function images({ tables, mutate }: StoreContext): Store['images'] {
  const { all, indexes } = tables
  const computerAt = (ip: string) => all.computers.get(indexes.address.id(ip))
  return {
    async list() {
      return all.images.sorted().map(image => ({ ...image }))
    },
    async uses() {
      return tables.imageUses.read(() => findUses(tables))
    },
    async find(name) {
      const image = all.images.get(indexes.imageName.id(name))
      return image && { ...image }
    },

    add: image =>
      mutate(transaction => {
        if (indexes.imageName.id(image.name) !== undefined) return undefined
        const id = all.images.nextId()
        transaction.put('images', withId(id, image))
        return id
      }),
    delete: id =>
      mutate(transaction => {
        const image = all.images.get(id)
        if (!image) return undefined
        transaction.delete('images', id)
        removeFromPartitions(tables, transaction, id)
        return { ...image }
      }),
    recordCreate: (ip, { id, disk, partition, software: installed, datasize, clonator, compressor, filesystem }) =>
      mutate(transaction => {
        const computer = computerAt(ip)
        if (!computer) return false
        const software = internProfile(tables, transaction, 'software', toSoftwareTexts(installed))
        const image = all.images.get(id)
        const details = { software_id: software, datasize, clonator, compressor, filesystem }
        if (image) transaction.put('images', { ...image, ...details })
        setPartition(tables, transaction, computer, { disk, partition, software, ...(image && { image: id }) })
        return true
      }),
    recordRestore: (ip, disk, partition, id) =>
      mutate(transaction => {
        const computer = computerAt(ip)
        if (!computer) return false
        const image = all.images.get(id)
        if (!image) return true
        const software = image.software_id
        const { os: name } = toSoftware(readProfile(tables, 'software', software))
        const os = name === '' ? 0 : internName(tables, transaction, 'systems', name)
        setPartition(tables, transaction, computer, { disk, partition, image: id, software, os })
        return true
      }),
  }
}

/** By image; a computer with two partitions of one image counts once. */
/** Frozen, because many readers share it. */
function findUses(tables: Tables): readonly ImageUse[] {
  const numbers = countComputers(tables)
  const uses = tables.all.images.sorted().map(({ id, software_id }) => {
    return Object.freeze({ id, system: readSystem(tables, software_id), computers: numbers.get(id) ?? 0 })
  })
  return Object.freeze(uses)
}

function countComputers({ all }: Tables): Map<number, number> {
  const numbers = new Map<number, number>()
  for (const { rows } of all.partitions.all())
    for (const image of new Set(rows.map(row => row.image))) numbers.set(image, (numbers.get(image) ?? 0) + 1)
  return numbers
}

function removeFromPartitions({ all }: Tables, transaction: Transaction, image: number): void {
  for (const disks of [...all.partitions.all()]) {
    if (!disks.rows.some(row => row.image === image)) continue
    const rows = disks.rows.map(row => (row.image === image ? { ...row, image: 0 } : row))
    transaction.put('partitions', { ...disks, rows })
  }
}

/** Copies key by key: additional keys of a caller's object are not stored. */
function withId(id: number, image: New<Image>): Image {
  return {
    id,
    name: image.name,
    description: image.description,
    repo_id: image.repo_id,
    type: image.type,
    datasize: image.datasize,
    software_id: image.software_id,
    group_id: image.group_id,
    center_id: image.center_id,
    clonator: image.clonator,
    compressor: image.compressor,
    filesystem: image.filesystem,
  }
}

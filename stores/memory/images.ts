// Images of partitions.
import type { ImageCopy, ImageUse, Partition, RestoredImage, Store } from '../store.ts'
import { computerAt, setPartition } from './inventory.ts'
import { internName, internProfile, readProfile, readSystem, toSoftware, toSoftwareTexts } from './profiles.ts'
import { recordTable } from './record-table.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext, Transaction } from './tables/transaction.ts'

export const images = (context: StoreContext): Store['images'] => ({ ...reads(context), ...writes(context) })

function reads({ tables }: StoreContext) {
  const { all } = tables
  const images = recordTable(tables, 'images')
  return {
    list: async () => images.list(),
    async uses() {
      return tables.imageUses.read(() => findUses(tables))
    },
    async copies(image) {
      return findCopies(tables, image)
    },
    find: async name => images.find(all.images.idOf(name)),
    findById: async id => images.find(id),
    async system(id) {
      return readSystem(tables, all.images.get(id)?.software_id ?? 0)
    },
  } satisfies Partial<Store['images']>
}

function writes({ tables, mutate }: StoreContext) {
  const { all } = tables
  const images = recordTable(tables, 'images')
  return {
    add: image => mutate(transaction => (images.isTaken(image) ? undefined : images.add(transaction, image))),
    setOwner: (id, { center_id, room_id }) =>
      mutate(transaction => {
        const image = images.find(id)
        if (image) images.put(transaction, { ...image, center_id, room_id })
        return image !== undefined
      }),
    delete: id =>
      mutate(transaction => {
        const image = images.find(id)
        if (!image) return undefined
        transaction.delete('images', id)
        removeFromPartitions(tables, transaction, id)
        return image
      }),
    recordCreate: (ip, created) =>
      mutate(transaction => {
        const computer = computerAt(tables, ip)
        if (!computer) return false
        const { id, disk, partition, datasize, clonator, compressor, filesystem, version } = created
        const software = internProfile(tables, transaction, 'software', toSoftwareTexts(created.software))
        const image = all.images.get(id)
        const details = { software_id: software, datasize, clonator, compressor, filesystem, disk, partition }
        if (image) transaction.put('images', { ...image, ...details, ...(version > 0 && { version }) })
        setPartition(tables, transaction, computer, { disk, partition, software, ...(image && copyOf(created)) })
        return true
      }),
    recordRestore: (ip, restored) =>
      mutate(transaction => {
        const computer = computerAt(tables, ip)
        if (!computer) return false
        const { id, disk, partition } = restored
        const image = all.images.get(id)
        if (!image) return true
        const software = image.software_id
        const { os: name } = toSoftware(readProfile(tables, 'software', software))
        const os = name === '' ? 0 : internName(tables, transaction, 'systems', name)
        setPartition(tables, transaction, computer, { disk, partition, ...copyOf(restored), software, os })
        return true
      }),
  } satisfies Partial<Store['images']>
}

/** What a partition has of its image: without a time or version when these are not known. */
function copyOf({ id, version, at }: RestoredImage) {
  return { image: id, image_version: version || undefined, image_since: at || undefined }
}

function findCopies({ all }: Tables, imageId: number | undefined): ImageCopy[] {
  const copies = all.computers.sorted().flatMap(({ id, ip }) => {
    const rows = all.partitions.get(id)?.rows ?? []
    const copied = rows.filter(({ image }) => image !== 0 && (imageId === undefined || image === imageId))
    return copied.map(({ disk, partition, image, image_version: version = 0, image_since: since = 0 }) => {
      return { image, version, since, ip, disk, partition }
    })
  })
  return copies.sort((a, b) => a.image - b.image)
}

/** Frozen, because many readers share it. */
function findUses(tables: Tables): readonly ImageUse[] {
  const numbers = countComputers(tables)
  const uses = tables.all.images.sorted().map(({ id, software_id }) => {
    return Object.freeze({ id, system: readSystem(tables, software_id), computers: numbers.get(id) ?? 0 })
  })
  return Object.freeze(uses)
}

/** By image; a computer with two partitions of one image counts once. */
function countComputers({ all }: Tables): Map<number, number> {
  const numbers = new Map<number, number>()
  for (const { rows } of all.partitions.all())
    for (const image of new Set(rows.map(row => row.image))) numbers.set(image, (numbers.get(image) ?? 0) + 1)
  return numbers
}

function removeFromPartitions({ all }: Tables, transaction: Transaction, image: number): void {
  for (const disks of [...all.partitions.all()]) {
    if (!disks.rows.some(row => row.image === image)) continue
    const rows = disks.rows.map(row => (row.image === image ? withoutImage(row) : row))
    transaction.put('partitions', { ...disks, rows })
  }
}

const withoutImage = ({ image_version: _version, image_since: _since, ...row }: Partition) => ({ ...row, image: 0 })

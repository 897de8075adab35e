// Images of partitions.
import type { Store } from '../store.ts'
import { setPartition } from './inventory.ts'
import { fromSoftware, intern, internName, read, toSoftware } from './profiles.ts'
import type { Records } from './store.ts'

export function images({ tables, mutate }: Records): Store['images'] {
  const { all, by } = tables
  const computerAt = (ip: string) => all.computers.get(by.address.id(ip))
  return {
    async list() {
      return all.images.sorted().map(image => ({ ...image }))
    },
    async find(name) {
      const image = all.images.get(by.imageName.id(name))
      return image && { ...image }
    },

    add: ({ name, description, repo_id, type, datasize, software_id, group_id, center_id, ...made }) =>
      mutate(edit => {
        if (by.imageName.id(name) !== undefined) return undefined
        const id = all.images.next()
        const { clonator, compressor, filesystem } = made
        const known = { id, name, description, repo_id, type, datasize, software_id, group_id, center_id }
        edit.put('images', { ...known, clonator, compressor, filesystem })
        return id
      }),
    delete: id =>
      mutate(edit => {
        const image = all.images.get(id)
        if (!image) return undefined
        edit.delete('images', id)
        for (const disks of [...all.partitions.all()]) {
          if (!disks.rows.some(row => row.image === id)) continue
          const rows = disks.rows.map(row => (row.image === id ? { ...row, image: 0 } : row))
          edit.put('partitions', { ...disks, rows })
        }
        return { ...image }
      }),
    recordCreate: (ip, { id, disk, partition, software: installed, ...made }) =>
      mutate(edit => {
        const computer = computerAt(ip)
        if (!computer) return false
        const software = intern(tables, edit, 'software', fromSoftware(installed))
        const image = all.images.get(id)
        const { datasize, clonator, compressor, filesystem } = made
        if (image) edit.put('images', { ...image, software_id: software, datasize, clonator, compressor, filesystem })
        setPartition(tables, edit, computer, { disk, partition, software, ...(image && { image: id }) })
        return true
      }),
    recordRestore: (ip, disk, partition, id) =>
      mutate(edit => {
        const computer = computerAt(ip)
        if (!computer) return false
        const image = all.images.get(id)
        if (!image) return true
        const software = image.software_id
        const { os: name } = toSoftware(read(tables, 'software', software))
        const os = name === '' ? 0 : internName(tables, edit, 'systems', name)
        setPartition(tables, edit, computer, { disk, partition, image: id, software, os })
        return true
      }),
  }
}

// What is known of a computer's disks, hardware and software.
import type { DiskReport, Frozen, HardwareItem, Partition, Store } from '../store.ts'
import { fromItems, fromSoftware, intern, internName, read, toItems, toSoftware } from './profiles.ts'
import type { Records } from './store.ts'
import type { Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { Edit } from './tables/transaction.ts'

export function inventory({ tables, mutate }: Records): Store['inventory'] {
  const { all, by } = tables
  const computerAt = (ip: string) => all.computers.get(by.address.id(ip))
  // By profile: the computers of a room are often the same.
  const shown = new WeakMap<Rows['hardware'], Frozen<HardwareItem[]>>()
  const partitionsAt = (ip: string) => all.partitions.get(by.address.id(ip))?.rows ?? []
  return {
    async partitions(ip) {
      return partitionsAt(ip).map(row => ({ ...row }))
    },
    async sessions(ip) {
      const installed = partitionsAt(ip).filter(({ os }) => os !== 0)
      return installed.map(({ disk, partition, os }) => ({ disk, partition, name: all.systems.get(os)?.name ?? '' }))
    },
    async hardware(ip) {
      const row = all.hardware.get(computerAt(ip)?.hardware_id)
      if (!row) return noItems
      const items = shown.get(row) ?? freezeItems(toItems(read(tables, 'hardware', row.id)))
      shown.set(row, items)
      return items
    },
    async software(ip, disk, partition) {
      const row = partitionsAt(ip).find(row => row.disk === disk && row.partition === partition)
      return toSoftware(read(tables, 'software', row?.software ?? 0)).programs
    },

    refresh: (ip, report) =>
      mutate(edit => {
        const computer = computerAt(ip)
        if (!computer) return false
        const { serial_number } = report
        if (serial_number !== '' && computer.serial_number === '') edit.put('computers', { ...computer, serial_number })
        const before = partitionsAt(ip)
        const rows = merge(tables, edit, before, report.rows)
        if (!sameRows(before, rows)) edit.put('partitions', { id: computer.id, rows })
        return true
      }),
    setHardware: (ip, items) =>
      mutate(edit => {
        const computer = computerAt(ip)
        if (!computer) return false
        const hardware_id = intern(tables, edit, 'hardware', fromItems(items))
        if (hardware_id !== computer.hardware_id) edit.put('computers', { ...computer, hardware_id })
        return true
      }),
    setSoftware: (ip, disk, partition, installed) =>
      mutate(edit => {
        const computer = computerAt(ip)
        if (!computer) return false
        const software = intern(tables, edit, 'software', fromSoftware(installed))
        setPartition(tables, edit, computer, { disk, partition, software })
        return true
      }),
  }
}

const freezeItems = (items: HardwareItem[]): Frozen<HardwareItem[]> => {
  for (const item of items) Object.freeze(item)
  return Object.freeze(items)
}

const noItems = freezeItems([])

/** Changes one partition's row; a partition without a row gets one, zero but for what is given. */
export function setPartition(
  { all }: Tables,
  edit: Edit,
  { id }: Rows['computers'],
  given: Partial<Partition> & Place,
): void {
  const before = all.partitions.get(id)?.rows ?? []
  const at = before.findIndex(row => samePlace(row, given))
  const row = { ...blank, ...before[at], ...given }
  const rows = at < 0 ? [...before, row].sort(byPlace) : before.with(at, row)
  if (!sameRows(before, rows)) edit.put('partitions', { id, rows })
}

const blank = { disk: 0, partition: 0, code: 0, size: 0, used_size: 0, filesystem: 0, os: 0, image: 0, software: 0 }
const fields = ['disk', 'partition', 'code', 'size', 'used_size', 'filesystem', 'os', 'image', 'software'] as const

type Place = Pick<Partition, 'disk' | 'partition'>

const byPlace = (a: Place, b: Place) => a.disk - b.disk || a.partition - b.partition

const samePlace = (a: Place, b: Place) => a.disk === b.disk && a.partition === b.partition

function merge(tables: Tables, edit: Edit, before: readonly Partition[], reported: DiskReport['rows']): Partition[] {
  const last = new Map(reported.map(row => [`${row.disk} ${row.partition}`, row]))
  const rows = [...last.values()].map(({ disk, partition, code, size, used_size, filesystem, os: name }) => {
    const os = name === '' ? 0 : internName(tables, edit, 'systems', name)
    const old = before.find(row => samePlace(row, { disk, partition }))
    const same = old?.size === size && old.filesystem === filesystem && old.os === os
    const kept = same ? { image: old.image, software: old.software } : { image: 0, software: 0 }
    return { disk, partition, code, size, used_size, filesystem, os, ...kept }
  })
  return rows.sort(byPlace)
}

function sameRows(before: readonly Partition[], after: readonly Partition[]): boolean {
  return before.length === after.length && before.every((row, at) => fields.every(key => row[key] === after[at]?.[key]))
}

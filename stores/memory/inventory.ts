// Disks, hardware and software of computers.

import { partition as partitionRecord } from '../records/computer.ts'
import { fixedFilesystem, fixedFilesystems, toFilesystemId, toFilesystemRow } from '../rules/filesystem-names.ts'
import type { DiskReport, Frozen, HardwareItem, Partition, Store } from '../store.ts'
import {
  internName,
  internProfile,
  readProfile,
  toHardwareItems,
  toHardwareTexts,
  toSoftware,
  toSoftwareTexts,
} from './profiles.ts'
import { survey } from './survey.ts'
import type { Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext, Transaction } from './tables/transaction.ts'

export function inventory(context: StoreContext): Store['inventory'] {
  return { ...reads(context), ...survey(context), ...writes(context) }
}

function reads({ tables }: StoreContext) {
  const { all } = tables
  // By profile: the computers of a room often have the same hardware.
  const itemsByProfile = new WeakMap<Rows['hardware'], Frozen<HardwareItem[]>>()
  return {
    async partitions(ip) {
      return partitionsOf(tables, ip).map(partitionRecord.read)
    },
    async contents(ips, disk, partition) {
      return ips.flatMap(ip => {
        const row = partitionsOf(tables, ip).find(each => isSamePartition(each, { disk, partition }))
        if (!row) return []
        const system = all.systems.get(row.os)?.name ?? ''
        return { ip, system, filesystem: filesystemName(tables, row.filesystem), image: row.image }
      })
    },
    async sessions(ip) {
      const installed = partitionsOf(tables, ip).filter(({ os }) => os !== 0)
      return installed.map(({ disk, partition, os }) => ({ disk, partition, name: all.systems.get(os)?.name ?? '' }))
    },
    async hardware(ip) {
      const row = all.hardware.get(computerAt(tables, ip)?.hardware_id)
      if (!row) return noItems
      const items = itemsByProfile.get(row) ?? freezeItems(toHardwareItems(readProfile(tables, 'hardware', row.id)))
      itemsByProfile.set(row, items)
      return items
    },
    async software(ip, disk, partition) {
      const row = partitionsOf(tables, ip).find(row => isSamePartition(row, { disk, partition }))
      return toSoftware(readProfile(tables, 'software', row?.software ?? 0)).programs
    },
  } satisfies Partial<Store['inventory']>
}

function writes({ tables, mutate }: StoreContext) {
  return {
    refresh: (ip, report) =>
      mutate(transaction => {
        const computer = computerAt(tables, ip)
        if (!computer) return false
        const { serial_number } = report
        if (serial_number !== '' && computer.serial_number === '') {
          transaction.put('computers', { ...computer, serial_number })
        }
        const before = partitionsOf(tables, ip)
        const rows = toPartitions(tables, transaction, before, report.rows)
        if (!areSameRows(before, rows)) transaction.put('partitions', { id: computer.id, rows })
        return true
      }),
    setHardware: (ip, items) =>
      mutate(transaction => {
        const computer = computerAt(tables, ip)
        if (!computer) return false
        const hardware_id = internProfile(tables, transaction, 'hardware', toHardwareTexts(items))
        if (hardware_id !== computer.hardware_id) transaction.put('computers', { ...computer, hardware_id })
        return true
      }),
    setSoftware: (ip, disk, partition, installed) =>
      mutate(transaction => {
        const computer = computerAt(tables, ip)
        if (!computer) return false
        const software = internProfile(tables, transaction, 'software', toSoftwareTexts(installed))
        setPartition(tables, transaction, computer, { disk, partition, software })
        return true
      }),
  } satisfies Partial<Store['inventory']>
}

export const computerAt = ({ all }: Tables, ip: string) => all.computers.at(ip)

const partitionsOf = ({ all }: Tables, ip: string): readonly Partition[] =>
  all.partitions.get(all.computers.idOf(ip))?.rows ?? []

const filesystemName = ({ all }: Tables, id: number): string =>
  fixedFilesystems[id] ?? all.filesystems.get(toFilesystemRow(id))?.name ?? ''

const freezeItems = (items: HardwareItem[]): Frozen<HardwareItem[]> => {
  for (const item of items) Object.freeze(item)
  return Object.freeze(items)
}

const noItems = freezeItems([])

/** Changes one partition's row. A partition without a row gets one, whose other values are zero. */
export function setPartition(
  { all }: Tables,
  transaction: Transaction,
  { id }: Rows['computers'],
  change: { [Key in keyof Partition]?: Partition[Key] | undefined } & PartitionNumbers,
): void {
  const before = all.partitions.get(id)?.rows ?? []
  const at = before.findIndex(row => isSamePartition(row, change))
  const row = partitionRecord.store({ ...blank, ...before[at], ...change })
  const rows = at < 0 ? [...before, row].sort(comparePartitions) : before.with(at, row)
  if (!areSameRows(before, rows)) transaction.put('partitions', { id, rows })
}

const blank = { disk: 0, partition: 0, code: 0, size: 0, used_size: 0, filesystem: 0, os: 0, image: 0, software: 0 }
// `as`: the keys are those of the record.
const fields = Object.keys(partitionRecord.columns) as (keyof Partition)[]

type PartitionNumbers = Pick<Partition, 'disk' | 'partition'>

const comparePartitions = (a: PartitionNumbers, b: PartitionNumbers) => a.disk - b.disk || a.partition - b.partition

const isSamePartition = (a: PartitionNumbers, b: PartitionNumbers) => a.disk === b.disk && a.partition === b.partition

/** The reported rows; a row that has not changed keeps the image and software of its row in `before`. */
function toPartitions(
  tables: Tables,
  transaction: Transaction,
  before: readonly Partition[],
  reported: DiskReport['rows'],
): Partition[] {
  const lastReports = new Map(reported.map(row => [`${row.disk} ${row.partition}`, row]))
  const rows = [...lastReports.values()].map(report => {
    const { disk, partition, code, size, used_size } = report
    const os = report.os === '' ? 0 : internName(tables, transaction, 'systems', report.os)
    const filesystem =
      fixedFilesystem(report.filesystem) ??
      toFilesystemId(internName(tables, transaction, 'filesystems', report.filesystem))
    const old = before.find(row => isSamePartition(row, { disk, partition }))
    const isUnchanged = old?.size === size && old.filesystem === filesystem && old.os === os
    const row = { disk, partition, code, size, used_size, filesystem, os }
    if (!isUnchanged) return { ...row, image: 0, software: 0 }
    return partitionRecord.store({ ...old, ...row })
  })
  return rows.sort(comparePartitions)
}

function areSameRows(before: readonly Partition[], after: readonly Partition[]): boolean {
  return before.length === after.length && before.every((row, at) => fields.every(key => row[key] === after[at]?.[key]))
}

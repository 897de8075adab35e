// What many computers have, read for the whole fleet: lists that they share are read once.
import { patternTest } from '../rules/search/text-pattern.ts'
import { createSlicePause } from '../rules/work-slices.ts'
import type { ListedProgram, Partition, Store, SurveyedPartition } from '../store.ts'
import { readProfile, toHardwareItems } from './profiles.ts'
import { forEachStringId } from './tables/profile-lists.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext } from './tables/transaction.ts'

/** Lists that are read between two looks at the clock. */
const listsAtOnce = 16

export function survey({ tables }: StoreContext) {
  const { all } = tables
  const pause = createSlicePause()
  return {
    async survey(ips) {
      const computers = ips.flatMap(ip => all.computers.at(ip) ?? []).sort((one, other) => one.id - other.id)
      return computers.map(({ id, ip, room, hardware_id }) => {
        const rows = all.partitions.get(id)?.rows ?? []
        const hardware = all.hardware.get(hardware_id) ? hardware_id : 0
        return { id, ip, room, hardware, rows: rows.map(row => surveyed(tables, row)) }
      })
    },
    async devices(ids) {
      return ids.flatMap(id => {
        return all.hardware.get(id) ? { id, items: toHardwareItems(readProfile(tables, 'hardware', id)) } : []
      })
    },
    async programs(ids, { like, after, limit }) {
      const matches = patternTest(like)
      const found = new Map<number, ListedProgram | undefined>()
      for (const [at, id] of ids.entries()) {
        forEachProgram(tables, id, string => {
          if (!found.has(string)) {
            const program = all.strings.get(string)?.name ?? ''
            const isFound = matches(program) && (after === undefined || program > after)
            found.set(string, isFound ? { program, lists: [] } : undefined)
          }
          const lists = found.get(string)?.lists
          if (lists && lists.at(-1) !== id) lists.push(id)
        })
        if (at % listsAtOnce === 0) await pause()
      }
      const lines = [...found.values()].filter(line => line !== undefined)
      return lines.sort((one, other) => (one.program < other.program ? -1 : 1)).slice(0, limit)
    },
  } satisfies Partial<Store['inventory']>
}

const surveyed = ({ all }: Tables, { disk, partition, size, software, os, image }: Partition): SurveyedPartition => ({
  disk,
  partition,
  size,
  software,
  system: all.systems.get(os)?.name ?? '',
  image: all.images.get(image)?.name ?? '',
})

/** The first string of a list of software is its operating system. */
function forEachProgram({ all }: Tables, id: number, visit: (string: number) => void): void {
  let isFirst = true
  forEachStringId(all.software.get(id)?.list ?? '', string => {
    if (!isFirst) visit(string)
    isFirst = false
  })
}

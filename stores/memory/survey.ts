// What many computers have, read for the whole fleet: lists that they share are read once.
import { patternTest } from '../rules/search/text-pattern.ts'
import { createSlicePause } from '../rules/work-slices.ts'
import type { ListedProgram, ListOwners, Partition, Store, SurveyedPartition } from '../store.ts'
import { readProfile, stringTest, toHardwareItems } from './profiles.ts'
import { stringIdsOf } from './tables/profile-lists.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext } from './tables/transaction.ts'

/** Lists that are read between two looks at the clock. */
const listsAtOnce = 16

export function survey({ tables }: StoreContext) {
  const { all } = tables
  const pause = createSlicePause()

  /** The first string of a list of software is its operating system. */
  async function visitPrograms(
    ids: readonly number[],
    visit: (string: number, list: number) => unknown,
  ): Promise<void> {
    for (const [at, id] of ids.entries()) {
      for (const string of stringIdsOf(all.software.get(id)).subarray(1)) visit(string, id)
      if (at % listsAtOnce === 0) await pause()
    }
  }

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
    async owners(ips) {
      const owners = new Map<number, Map<number, ListOwners>>()
      for (const ip of ips) {
        const { id = 0, room = 0 } = all.computers.at(ip) ?? {}
        for (const { software: list } of all.partitions.get(id)?.rows ?? []) {
          if (list === 0) continue
          const byRoom = owners.get(list) ?? new Map<number, ListOwners>()
          if (byRoom.size === 0) owners.set(list, byRoom)
          const ofRoom = byRoom.get(room)
          if (ofRoom) ofRoom.computers.push(id)
          else byRoom.set(room, { list, room, computers: [id] })
        }
      }
      return [...owners.values()].flatMap(byRoom => [...byRoom.values()])
    },
    async programs(ids, { like, after, limit }) {
      const matches = patternTest(like)
      const names: string[] = []
      const isLine = stringTest(tables, name => {
        const isFound = matches(name) && (after === undefined || name > after)
        if (isFound) names.push(name)
        return isFound
      })
      await visitPrograms(ids, isLine)
      const lines = firstInOrder(names, limit).map((program): ListedProgram => ({ program, lists: [] }))
      // By string the number of its line, from 1 on.
      const numbers = new Int32Array(all.strings.last + 1)
      for (const [at, { program }] of lines.entries()) numbers[all.strings.idOf(program) ?? 0] = at + 1
      await visitPrograms(ids, (string, id) => {
        const lists = lines[(numbers[string] ?? 0) - 1]?.lists
        if (lists && lists.at(-1) !== id) lists.push(id)
      })
      return lines
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

/** So many of the texts, in their order: without sorting all others. */
function firstInOrder(texts: readonly string[], limit: number): string[] {
  let first: string[] = []
  let last: string | undefined
  for (const text of texts) {
    if (last !== undefined && text > last) continue
    first.push(text)
    if (first.length < 4 * limit) continue
    first = first.sort().slice(0, limit)
    last = first.at(-1)
  }
  return first.sort().slice(0, limit)
}

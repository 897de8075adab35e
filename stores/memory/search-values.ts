// The texts that searches can ask for: those that computers have, so that they can be offered while a query is typed.
import { mostValues } from '../rules/search/search-fields.ts'
import { patternTest } from '../rules/search/text-pattern.ts'
import type { SearchText, Store, TextCondition } from '../store.ts'
import { devicesOf } from './search.ts'
import { forEachStringId } from './tables/profile-lists.ts'
import type { Row, Rows } from './tables/row-types.ts'
import type { Table } from './tables/table.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext } from './tables/transaction.ts'

type Computers = readonly Rows['computers'][]

export function searchValues({ tables }: StoreContext): Store['computers']['searchValues'] {
  return async (where, ips) => {
    const { computers } = tables.all
    const texts = textsOf(tables, where, ips ? ips.flatMap(ip => computers.at(ip) ?? []) : computers.sorted())
    return [...texts].sort().slice(0, mostValues)
  }
}

function textsOf(tables: Tables, where: TextCondition, computers: Computers): ReadonlySet<string> {
  if ('program' in where) return programs(tables, patternTest(where.program), computers)
  const matches = patternTest(where.like)
  const texts = 'text' in where ? textLists[where.text](tables, computers) : devices(tables, where.device, computers)
  return new Set([...new Set(texts)].filter(matches))
}

const textLists: { readonly [Text in SearchText]: (tables: Tables, computers: Computers) => string[] } = {
  name: (_, computers) => computers.map(({ name }) => name),
  ip: (_, computers) => computers.map(({ ip }) => ip),
  mac: (_, computers) => computers.map(({ mac }) => mac),
  serial_number: (_, computers) => computers.map(({ serial_number }) => serial_number),
  boot: (_, computers) => computers.map(({ boot }) => boot),
  room: ({ all }, computers) => namesIn(all.rooms, roomsOf(computers)),
  center({ all }, computers) {
    const centers = [...new Set(roomsOf(computers))].flatMap(room => all.rooms.get(room)?.center ?? [])
    return namesIn(all.centers, centers)
  },
  repository({ all }, computers) {
    const ids = computers.map(({ repo_id }) => repo_id)
    return namesIn(all.repositories, ids)
  },
  tag({ all }, computers) {
    const rooms = [...new Set(roomsOf(computers))]
    return [...computers, ...rooms.map(room => all.rooms.get(room))].flatMap(each => [...(each?.tags ?? [])])
  },
  system(tables, computers) {
    const ids = partitionsOf(tables, computers).map(({ os }) => os)
    return namesIn(tables.all.systems, ids)
  },
  image(tables, computers) {
    const ids = partitionsOf(tables, computers).map(({ image }) => image)
    return namesIn(tables.all.images, ids)
  },
}

const roomsOf = (computers: Computers) => computers.map(({ room }) => room)

const partitionsOf = ({ all }: Tables, computers: Computers) =>
  computers.flatMap(({ id }) => all.partitions.get(id)?.rows ?? [])

const namesIn = <Stored extends Row & { name: string }>(table: Table<Stored>, ids: readonly number[]): string[] =>
  [...new Set(ids)].flatMap(id => table.get(id)?.name ?? [])

function devices(tables: Tables, device: string, computers: Computers): string[] {
  const lists = new Set(computers.map(({ hardware_id }) => hardware_id))
  const items = [...lists].flatMap(id => devicesOf(tables, id))
  return items.flatMap(({ type, description }) => (device === '' || type === device ? description : []))
}

/** The first string of a list is its operating system. */
function programs(tables: Tables, matches: (text: string) => boolean, computers: Computers): ReadonlySet<string> {
  const { strings, software } = tables.all
  const candidates = new Map(strings.sorted().flatMap(({ id, name }) => (matches(name) ? [[id, name]] : [])))
  const found = new Set<string>()
  if (candidates.size === 0) return found
  for (const list of new Set(partitionsOf(tables, computers).map(({ software }) => software))) {
    // As many as are asked for, of any lists: to find all would mean to read all lists.
    if (found.size >= Math.min(mostValues, candidates.size)) break
    let isFirst = true
    forEachStringId(software.get(list)?.list ?? '', id => {
      const name = isFirst ? undefined : candidates.get(id)
      if (name !== undefined) found.add(name)
      isFirst = false
    })
  }
  return found
}

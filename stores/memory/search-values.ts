// The texts that searches can ask for: those that computers have, so that they can be offered while a query is typed.
import { mostValues } from '../rules/search/search-fields.ts'
import { patternTest } from '../rules/search/text-pattern.ts'
import type { SearchText, Store, TextCondition } from '../store.ts'
import { devicesOf, stringTest } from './profiles.ts'
import { stringIdsOf } from './tables/profile-lists.ts'
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
  if ('device' in where) return devices(tables, where.device, matches, computers)
  return new Set([...new Set(textLists[where.text](tables, computers))].filter(matches))
}

const textLists: { readonly [Text in SearchText]: (tables: Tables, computers: Computers) => string[] } = {
  name: (_, computers) => computers.map(({ name }) => name),
  ip: (_, computers) => computers.map(({ ip }) => ip),
  mac: (_, computers) => computers.map(({ mac }) => mac),
  serial_number: (_, computers) => computers.map(({ serial_number }) => serial_number),
  boot: (_, computers) => computers.map(({ boot }) => boot),
  room: ({ all }, computers) => namesIn(all.rooms, roomsOf(computers)),
  computer_id: (_, computers) => computers.map(({ id }) => String(id)),
  room_id: (_, computers) => roomsOf(computers).map(String),
  center: (tables, computers) => namesIn(tables.all.centers, centersOf(tables, computers)),
  center_id: (tables, computers) => centersOf(tables, computers).map(String),
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

const centersOf = ({ all }: Tables, computers: Computers) =>
  [...new Set(roomsOf(computers))].flatMap(room => all.rooms.get(room)?.center ?? [])

const partitionsOf = ({ all }: Tables, computers: Computers) =>
  computers.flatMap(({ id }) => all.partitions.get(id)?.rows ?? [])

const namesIn = <Stored extends Row & { name: string }>(table: Table<Stored>, ids: readonly number[]): string[] =>
  [...new Set(ids)].flatMap(id => table.get(id)?.name ?? [])

type Matches = (text: string) => boolean

function devices(tables: Tables, device: string, matches: Matches, computers: Computers): ReadonlySet<string> {
  const { hardware } = tables.all
  const lists = new Set(computers.map(({ hardware_id }) => hardware_id))
  return inLists(
    tables,
    matches,
    Array.from(lists, id => devicesOf(tables, hardware.get(id), device)),
  )
}

function programs(tables: Tables, matches: Matches, computers: Computers): ReadonlySet<string> {
  const { partitions, software } = tables.all
  const lists = new Set<number>()
  for (const { id } of computers) for (const row of partitions.get(id)?.rows ?? []) lists.add(row.software)
  // The first string of a list is its operating system.
  return inLists(
    tables,
    matches,
    Array.from(lists, id => stringIdsOf(software.get(id)).subarray(1)),
  )
}

/** As many as are asked for, of any lists: to find all would mean to read all lists. */
function inLists(tables: Tables, matches: Matches, lists: readonly Uint32Array[]): ReadonlySet<string> {
  const isMatch = stringTest(tables, matches)
  const found = new Set<string>()
  const isEnough = (id: number) => {
    if (isMatch(id)) found.add(tables.all.strings.get(id)?.name ?? '')
    return found.size === mostValues
  }
  lists.some(list => list.some(isEnough))
  return found
}

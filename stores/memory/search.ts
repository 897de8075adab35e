// Finds computers by what is known of them: each condition is looked up once in the lists that computers share.
import { memoryOf, memoryType } from '../rules/search/search-fields.ts'
import { patternTest } from '../rules/search/text-pattern.ts'
import { meets, versionTest } from '../rules/search/versions.ts'
import type { Comparison, SearchNumber, SearchText, Store, Where } from '../store.ts'
import { devicesOf, stringTest } from './profiles.ts'
import { stringIdsOf } from './tables/profile-lists.ts'
import type { Row, Rows } from './tables/row-types.ts'
import type { Table } from './tables/table.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext } from './tables/transaction.ts'

type Test = (computer: Rows['computers']) => boolean

type PartitionTest = (partition: Rows['partitions']['rows'][number]) => boolean

export function search({ tables }: StoreContext): Store['computers']['search'] {
  return async where => {
    const test = toTest(tables, where)
    const found: { id: number; ip: string }[] = []
    for (const computer of tables.all.computers.sorted()) {
      if (test(computer)) found.push({ id: computer.id, ip: computer.ip })
    }
    return found
  }
}

function toTest(tables: Tables, where: Where): Test {
  if ('and' in where) {
    const tests = where.and.map(each => toTest(tables, each))
    return computer => tests.every(test => test(computer))
  }
  if ('or' in where) {
    const tests = where.or.map(each => toTest(tables, each))
    return computer => tests.some(test => test(computer))
  }
  if ('not' in where) {
    const test = toTest(tables, where.not)
    return computer => !test(computer)
  }
  if ('text' in where) return textTests[where.text](tables, patternTest(where.like))
  if ('program' in where) return testProgram(tables, where)
  if ('device' in where) return testDevice(tables, where)
  if ('number' in where) return testNumber(tables, where.number, where.compare)
  if ('maintenance' in where) return computer => computer.maintenance === where.maintenance
  const addresses = new Set(where.in)
  return computer => addresses.has(computer.ip)
}

type Matches = (text: string) => boolean

const textTests: { readonly [Text in SearchText]: (tables: Tables, matches: Matches) => Test } = {
  name: (_, matches) => computer => matches(computer.name),
  ip: (_, matches) => computer => matches(computer.ip),
  mac: (_, matches) => computer => matches(computer.mac),
  serial_number: (_, matches) => computer => matches(computer.serial_number),
  boot: (_, matches) => computer => matches(computer.boot),
  room({ all }, matches) {
    const rooms = idsOf(all.rooms, ({ name }) => matches(name))
    return computer => rooms.has(computer.room)
  },
  center({ all }, matches) {
    const centers = idsOf(all.centers, ({ name }) => matches(name))
    const rooms = idsOf(all.rooms, ({ center }) => centers.has(center))
    return computer => rooms.has(computer.room)
  },
  computer_id: (_, matches) => computer => matches(String(computer.id)),
  room_id: (_, matches) => computer => matches(String(computer.room)),
  center_id({ all }, matches) {
    const rooms = idsOf(all.rooms, ({ center }) => matches(String(center)))
    return computer => rooms.has(computer.room)
  },
  repository({ all }, matches) {
    const repositories = idsOf(all.repositories, ({ name }) => matches(name))
    return computer => repositories.has(computer.repo_id)
  },
  tag({ all }, matches) {
    const rooms = idsOf(all.rooms, ({ tags }) => tags?.some(matches) ?? false)
    return computer => rooms.has(computer.room) || (computer.tags?.some(matches) ?? false)
  },
  system(tables, matches) {
    const systems = idsOf(tables.all.systems, ({ name }) => matches(name))
    return hasPartition(tables, ({ os }) => systems.has(os))
  },
  image(tables, matches) {
    const images = idsOf(tables.all.images, ({ name }) => matches(name))
    return hasPartition(tables, ({ image }) => images.has(image))
  },
}

const idsOf = <Stored extends Row>(table: Table<Stored>, matches: (row: Stored) => boolean): ReadonlySet<number> =>
  new Set(table.sorted().flatMap(row => (matches(row) ? row.id : [])))

const hasPartition =
  ({ all }: Tables, matches: PartitionTest): Test =>
  ({ id }) =>
    all.partitions.get(id)?.rows.some(matches) ?? false

function testProgram(tables: Tables, { program, version }: Extract<Where, { program: string }>): Test {
  const matches = patternTest(program)
  const isVersion = version && versionTest(version)
  const isLine = stringTest(tables, name => matches(name) && (isVersion === undefined || isVersion(name)))
  // The first string of a list of software is its operating system.
  const lists = idsOf(tables.all.software, row => stringIdsOf(row).some((id, at) => at > 0 && isLine(id)))
  return hasPartition(tables, ({ software }) => lists.has(software))
}

function testDevice(tables: Tables, { device, like }: Extract<Where, { device: string }>): Test {
  const isMatch = stringTest(tables, patternTest(like))
  const lists = idsOf(tables.all.hardware, row => devicesOf(tables, row, device).some(isMatch))
  return computer => lists.has(computer.hardware_id)
}

function testNumber(tables: Tables, number: SearchNumber, { operator, value }: Comparison<number>): Test {
  const test = (actual: number | undefined) => actual !== undefined && meets(actual - value, operator)
  if (number === 'memory') {
    const lists = idsOf(tables.all.hardware, row => {
      const modules = devicesOf(tables, row, memoryType)
      return test(memoryOf(Array.from(modules, id => tables.all.strings.get(id)?.name ?? '')))
    })
    return computer => lists.has(computer.hardware_id)
  }
  const { partitions } = tables.all
  const isDisk = number === 'disk'
  return ({ id }) => {
    const rows = partitions.get(id)?.rows.filter(({ partition }) => (partition === 0) === isDisk) ?? []
    const values = rows.map(({ size, used_size }) => (isDisk ? Math.floor(size / 1024) : used_size))
    return test(values.length === 0 ? undefined : Math.max(...values))
  }
}

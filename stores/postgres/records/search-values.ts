// The texts that searches can ask for: those that computers have, so that they can be offered while a query is typed.
import { mostValues } from '../../rules/search/search-fields.ts'
import type { SearchText, Store, TextCondition } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { raw, type Sql, sql, unnamed } from '../connection/sql.ts'
import { matches } from './search.ts'

/** Of a text that many computers have, so many rows often have enough values. */
const fewRows = 1000

/** Names of programs that are looked up first: some are of lists that no computer has any more. */
const firstNames = 2 * mostValues

export function searchValues({ read }: Database): Store['computers']['searchValues'] {
  return async (where, ips) => {
    if ('program' in where) return programs(read, where.program, ips)
    const isOne = ips ? sql`computers.ip = any(${ips}::text[])` : sql`true`
    const find = (limit: Sql) =>
      sql<{ value: string; rows: number }>`
        ${unnamed} with found as materialized (
          select value from ${valuesOf(where, isOne)} as all_values (value) where ${matches('value', where.like)} ${limit}
        )
        select distinct value collate "C" as value, (select count(*) from found) as rows from found
        order by value limit ${mostValues}`.all(read)
    const some = await find(sql`limit ${fewRows}`)
    const isEnough = some.length === mostValues || (some[0]?.rows ?? 0) < fewRows
    return (isEnough ? some : await find(sql``)).map(({ value }) => value)
  }
}

async function programs(read: Database['read'], like: string, ips?: readonly string[]): Promise<string[]> {
  const found: string[] = []
  const lists = ips && (await listsOf(read, ips))
  let last = ''
  for (let size = firstNames; ; size *= 4) {
    const page = sql<{ name: string }>`
      select name from program_names where ${matches('name', like)} and name > ${last} order by name limit ${size}`
    const names = (await page.all(read)).map(({ name }) => name)
    const those = lists ? inLists(names, lists) : inAnyList(names)
    const statement = sql<{ name: string }>`
      ${unnamed} select distinct name collate "C" as name from ${those} as those order by name limit ${mostValues - found.length}`
    found.push(...(await statement.all(read)).map(({ name }) => name))
    last = names.at(-1) ?? ''
    if (found.length === mostValues || names.length < size) return found
  }
}

/** Each name by itself: see `listsWith` of search.ts. */
const inAnyList = (names: readonly string[]): Sql => sql`(
  select name from unnest(${names}::text[]) as names (name)
  where exists (select from software_profiles where programs @> array[name])
)`

const inLists = (names: readonly string[], lists: readonly number[]): Sql => sql`(
  select name from software_profiles, unnest(programs) as lines (name)
  where id = any(${lists}::bigint[]) and name = any(${names}::text[])
)`

async function listsOf(read: Database['read'], ips: readonly string[]): Promise<number[]> {
  const statement = sql<{ id: number }>`
    ${unnamed} select distinct software_profile_id as id from partitions join computers on computers.id = computer_id
    where computers.ip = any(${ips}::text[]) and software_profile_id is not null`
  return (await statement.all(read)).map(({ id }) => id)
}

function valuesOf(where: Exclude<TextCondition, { program: string }>, isOne: Sql): Sql {
  if ('text' in where) return textSources[where.text](isOne)
  return sql`(
    select description from hardware_profiles, unnest(types, descriptions) as devices (type, description)
    where id in (select hardware_profile_id from computers where ${isOne})
    and (type = ${where.device} or ${where.device} = '')
  )`
}

type Source = (isOne: Sql) => Sql

const column =
  (name: string): Source =>
  isOne =>
    sql`(select ${raw(name)} from computers where ${isOne})`

const named =
  (table: string, key: string, value = 'name'): Source =>
  isOne =>
    sql`(select ${raw(value)} from ${raw(table)} where id in (
      select ${raw(key)} from computers join rooms on rooms.id = computers.room_id where ${isOne}
    ))`

const ofPartition =
  (table: string, key: string): Source =>
  isOne =>
    sql`(select name from ${raw(table)} where id in (
      select ${raw(key)} from partitions join computers on computers.id = computer_id where ${isOne}
    ))`

const textSources: { readonly [Text in SearchText]: Source } = {
  name: column('name'),
  ip: column('ip'),
  mac: column('mac'),
  serial_number: column('serial_number'),
  boot: column('boot'),
  computer_id: column('id::text'),
  room: named('rooms', 'computers.room_id'),
  room_id: named('rooms', 'computers.room_id', 'id::text'),
  center: named('centers', 'rooms.center_id'),
  center_id: named('centers', 'rooms.center_id', 'id::text'),
  repository: named('repositories', 'computers.repository_id'),
  tag: isOne => sql`(
    select json_array_elements_text(tags) from computers where ${isOne}
    union all select json_array_elements_text(tags) from rooms where id in (
      select room_id from computers where ${isOne}
    ))`,
  system: ofPartition('operating_systems', 'operating_system_id'),
  image: ofPartition('images', 'image_id'),
}

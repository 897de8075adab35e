// The texts that searches can ask for: those that computers have, so that they can be offered while a query is typed.
import { mostValues } from '../../rules/search/search-fields.ts'
import type { SearchText, Store, TextCondition } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { raw, type Sql, sql } from '../connection/sql.ts'
import { matches } from './search.ts'

/** Names of programs that are looked at: some may be of lists that no computer has any more. */
const mostNames = 5 * mostValues

export function searchValues({ read }: Database): Store['computers']['searchValues'] {
  return async (where, ips) => {
    const statement = sql<{ value: string }>`
      select distinct value collate "C" as value from ${valuesOf(where, ips)} as found (value)
      where ${matches('value', 'program' in where ? where.program : where.like)}
      order by value limit ${mostValues}`
    return (await statement.all(read)).map(({ value }) => value)
  }
}

function valuesOf(where: TextCondition, ips: readonly string[] | undefined): Sql {
  const isOne = ips ? sql`computers.ip = any(${ips}::text[])` : sql`true`
  if ('text' in where) return textSources[where.text](isOne)
  if ('device' in where) {
    return sql`(
      select description from hardware_profiles, unnest(types, descriptions) as devices (type, description)
      where id in (select hardware_profile_id from computers where ${isOne})
      and (type = ${where.device} or ${where.device} = '')
    )`
  }
  const lists = sql`(
    select software_profile_id from partitions join computers on computers.id = computer_id where ${isOne}
  )`
  if (ips) return sql`(select unnest(programs) from software_profiles where id in ${lists})`
  return sql`(
    select name from (
      select name from program_names where ${matches('name', where.program)} order by name limit ${mostNames}
    ) as names where exists (select from software_profiles where programs && array[name])
  )`
}

type Source = (isOne: Sql) => Sql

const column =
  (name: string): Source =>
  isOne =>
    sql`(select ${raw(name)} from computers where ${isOne})`

const named =
  (table: string, key: string): Source =>
  isOne =>
    sql`(select name from ${raw(table)} where id in (
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
  room: named('rooms', 'computers.room_id'),
  center: named('centers', 'rooms.center_id'),
  repository: named('repositories', 'computers.repository_id'),
  tag: isOne => sql`(
    select json_array_elements_text(tags) from computers where ${isOne}
    union all select json_array_elements_text(tags) from rooms where id in (
      select room_id from computers where ${isOne}
    ))`,
  system: ofPartition('operating_systems', 'operating_system_id'),
  image: ofPartition('images', 'image_id'),
}

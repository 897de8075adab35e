// Finds computers by what is known of them: each condition becomes one of a statement.
import { memoryOf, memoryType } from '../../rules/search/search-fields.ts'
import { meets, versionTest } from '../../rules/search/versions.ts'
import type { Comparison, Computer, SearchNumber, SearchText, Store, Where } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { join, raw, type Sql, sql, unnamed } from '../connection/sql.ts'

export function search({ read }: Database): Store['computers']['search'] {
  return async where => {
    const condition = await toCondition(read, where)
    const statement = sql<Pick<Computer, 'id' | 'ip'>>`
      ${unnamed} select computers.id, computers.ip from computers join rooms on rooms.id = computers.room_id
      where ${condition} order by computers.id
    `
    return statement.all(read)
  }
}

/** Never null, as `not` keeps null. */
async function toCondition(read: Database['read'], where: Where): Promise<Sql> {
  if ('and' in where) return joined(read, where.and, 'and', sql`true`)
  if ('or' in where) return joined(read, where.or, 'or', sql`false`)
  if ('not' in where) return sql`not ${await toCondition(read, where.not)}`
  return sql`((${await toLeaf(read, where)}) is true)`
}

async function joined(read: Database['read'], wheres: readonly Where[], operator: string, empty: Sql): Promise<Sql> {
  if (wheres.length === 0) return empty
  const conditions = await Promise.all(wheres.map(each => toCondition(read, each)))
  return sql`(${join(conditions, ` ${operator} `)})`
}

async function toLeaf(read: Database['read'], where: Where): Promise<Sql> {
  if ('text' in where) return textConditions[where.text](where.like)
  if ('program' in where) return hasProgram(read, where)
  if ('device' in where) return hasDevice(where)
  if ('number' in where) return hasNumber(read, where.number, where.compare)
  if ('maintenance' in where) return sql`computers.maintenance = ${where.maintenance}`
  if ('in' in where) return sql`computers.ip = any(${where.in}::text[])`
  throw new Error('store: search: expected a condition, got none')
}

/** Whether a text of the column meets a pattern: see `Where`. Columns in the order of code units know small letters of ASCII only. */
export const matches = (column: string, like: string): Sql => {
  const pattern = like.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%')
  return sql`lower(${raw(column)} collate "default") like ${pattern} and ${raw(column)} <> ''`
}

const textConditions: { readonly [Text in SearchText]: (like: string) => Sql } = {
  name: like => matches('computers.name', like),
  ip: like => matches('computers.ip', like),
  mac: like => matches('computers.mac', like),
  serial_number: like => matches('computers.serial_number', like),
  boot: like => matches('computers.boot', like),
  room: like => matches('rooms.name', like),
  computer_id: like => matches('computers.id::text', like),
  room_id: like => matches('rooms.id::text', like),
  center: like => sql`rooms.center_id in (select id from centers where ${matches('name', like)})`,
  center_id: like => matches('rooms.center_id::text', like),
  repository: like => sql`computers.repository_id in (select id from repositories where ${matches('name', like)})`,
  tag: like => sql`
    exists (
      select from unnest(array[computers.tags, rooms.tags]) as lists (list), json_array_elements_text(list) as tags (tag)
      where ${matches('tag', like)}
    )`,
  system: like =>
    hasPartition(sql`
    operating_system_id in (select id from operating_systems where ${matches('name', like)})`),
  image: like => hasPartition(sql`image_id in (select id from images where ${matches('name', like)})`),
}

const hasPartition = (condition: Sql): Sql =>
  sql`computers.id in (select computer_id from partitions where ${condition})`

/** Lists are looked up by so many names at most: of more names nearly every list has one. */
const mostNames = 2000

/** So many names are in most lists; the others are looked through until the first line that meets the condition. */
const firstNames = 200

/** The lines of so many lists are read sooner than the names of all lists. */
const fewLists = 300

type ProgramCondition = Extract<Where, { program: string }>

async function hasProgram(read: Database['read'], condition: ProgramCondition): Promise<Sql> {
  const { program, version } = condition
  const { names, isAll } = await namesMeeting(read, condition)
  if (isAll && names.length <= mostNames) return inLists(listsWith(names))
  if (!version) return inLists(listsHaving(names, matches('line', program)))
  const lists = listsHaving(names, isOneOf(names))
  if (isAll) return inLists(lists)
  const { having, others } = await divideLists(lists).one(read)
  const isOther = sql`id = any(${others}::bigint[])`
  const lines = await namesOf(read, others.length > fewLists ? namesLike(program) : linesLike(program, isOther))
  return inLists(sql`
    select unnest(${having}::bigint[])
    union all select id from software_profiles
    where ${isOther} and ${hasLine(isOneOf(lines.filter(versionTest(version))))}`)
}

/** All names that meet the condition, or enough of them for most lists. */
async function namesMeeting(read: Database['read'], { program, version }: ProgramCondition) {
  const isVersion = version ? versionTest(version) : () => true
  const some = await namesOf(read, sql`${namesLike(program)} limit ${mostNames}`)
  const names = some.filter(isVersion)
  if (some.length < mostNames) return { names, isAll: true }
  if (names.length >= firstNames) return { names, isAll: false }
  return { names: (await namesOf(read, namesLike(program))).filter(isVersion), isAll: true }
}

async function namesOf(read: Database['read'], source: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }>`${source}`.all(read)
  return rows.map(({ name }) => name)
}

const namesLike = (like: string) => sql`select name from program_names where ${matches('name', like)}`

const linesLike = (like: string, isList: Sql) => sql`
  select distinct line as name from software_profiles, unnest(programs) as lines (line)
  where ${isList} and ${matches('line', like)}`

const isOneOf = (lines: readonly string[]) => sql`line = any(${lines}::text[])`

const inLists = (lists: Sql): Sql => hasPartition(sql`software_profile_id in (${lists})`)

const hasLine = (isLine: Sql): Sql =>
  sql`exists (select from (select unnest(programs) as line) as lines where ${isLine})`

const listsHaving = (names: readonly string[], isLine: Sql): Sql => sql`
  with first as materialized (${listsWith(evenly(names, firstNames))})
  select id from first
  union select id from software_profiles where id not in (select id from first) and ${hasLine(isLine)}`

/** So many of them at most: neighbours are often names of the same list. */
const evenly = (names: readonly string[], count: number): string[] =>
  names.filter((_, at) => at % Math.ceil(names.length / count) === 0)

const divideLists = (lists: Sql) => sql<{ having: number[]; others: number[] }>`
  ${unnamed} with lists as materialized (${lists}) select
    array(select id from lists) as having,
    array(select id from software_profiles where id not in (select id from lists)) as others`

/** Each name by itself: for `programs && names` the planner reads all lists. In an `unnamed` statement. */
export const listsWith = (names: readonly string[]): Sql => sql`
  select lists.id from unnest(${names}::text[]) as names (name),
  lateral (select id from software_profiles where programs @> array[name]) as lists`

const hasDevice = ({ device, like }: Extract<Where, { device: string }>): Sql => sql`
  computers.hardware_profile_id in (
    select id from hardware_profiles where exists (
      select from (select unnest(types) as type, unnest(descriptions) as description) as devices
      where (type = ${device} or ${device} = '') and ${matches('description', like)}
    )
  )`

const modules = sql<{ id: number; descriptions: string[] }>`
  select id, array(
    select description from unnest(types, descriptions) as devices (type, description) where type = ${memoryType}
  ) as descriptions from hardware_profiles`

async function hasNumber(
  read: Database['read'],
  number: SearchNumber,
  { operator, value }: Comparison<number>,
): Promise<Sql> {
  if (number === 'memory') {
    const ids = (await modules.all(read)).flatMap(({ id, descriptions }) => {
      const memory = memoryOf(descriptions)
      return memory !== undefined && meets(memory - value, operator) ? id : []
    })
    return sql`computers.hardware_profile_id = any(${ids}::bigint[])`
  }
  const [column, condition] = number === 'disk' ? ['size / 1024', 'partition = 0'] : ['used_size', 'partition <> 0']
  return sql`(
    select max(${raw(column)}) from partitions where computer_id = computers.id and ${raw(condition)}
  ) ${raw(operator)} ${value}::double precision`
}

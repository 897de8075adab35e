// What many computers have, read for the whole fleet: lists that they share are read once.
import type { ListedProgram, ListOwners, ProgramPage, Store, SurveyedComputer, SurveyedPartition } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { sql, unnamed } from '../connection/sql.ts'
import { matches } from './search.ts'
import { tables } from './tables.ts'

export function survey({ read }: Database) {
  return {
    async survey(ips) {
      const rows = await sql<Omit<SurveyedComputer, 'rows'> & { rows: string }>`
        select computers.id, ip, room_id as room, coalesce(hardware_profile_id, 0) as hardware, coalesce((
          select json_agg(json_build_object(
            'disk', partitions.disk, 'partition', partitions.partition, 'size', size,
            'software', coalesce(partitions.software_profile_id, 0),
            'system', coalesce(operating_systems.name, ''), 'image', coalesce(images.name, '')
          ) order by partitions.disk, partitions.partition)
          from partitions
          left join operating_systems on operating_systems.id = operating_system_id
          left join images on images.id = image_id
          where computer_id = computers.id
        ), '[]') as rows
        from computers where ip = any(${ips}::text[]) order by computers.id
      `.all(read)
      // `as`: what the statement builds.
      return rows.map(computer => ({ ...computer, rows: JSON.parse(computer.rows) as SurveyedPartition[] }))
    },
    owners: ips =>
      sql<ListOwners>`
        ${unnamed} select software_profile_id as list, room_id as room, array_agg(computers.id) as computers
        from computers join partitions on computer_id = computers.id
        where ip = any(${ips}::text[]) and software_profile_id is not null
        group by software_profile_id, room_id
      `.all(read),
    async devices(ids) {
      const rows = await sql<object>`
        select ${tables.hardware.columns} from hardware_profiles where id = any(${ids}::bigint[])
      `.all(read)
      return rows.map(row => tables.hardware.read(row))
    },
    programs: (ids, page) => (ids.length > fewLists ? readByNames(read, ids, page) : readLists(read, ids, page)),
  } satisfies Partial<Store['inventory']>
}

/** So many lists are read as they are; for more, the index says which of them have a line. */
const fewLists = 300

const readLists = (read: Database['read'], ids: readonly number[], { like, after = '', limit }: ProgramPage) =>
  sql<ListedProgram>`
    ${unnamed} select line as program, array_agg(distinct id) as lists
    from software_profiles, unnest(programs) as lines (line)
    where id = any(${ids}::bigint[]) and ${matches('line', like)} and line collate "C" > ${after}
    group by line collate "C", line order by line collate "C" limit ${limit}
  `.all(read)

/** The names of all lists are looked through a page at a time, each longer than the last, as these lists may have few. */
async function readByNames(
  read: Database['read'],
  ids: readonly number[],
  { like, after = '', limit }: ProgramPage,
): Promise<ListedProgram[]> {
  const found: ListedProgram[] = []
  let last: string | undefined = after
  for (let size = limit; last !== undefined && found.length < limit; size *= 4) {
    const rows: { name: string }[] = await sql<{ name: string }>`
      select name from program_names where ${matches('name', like)} and name > ${last} order by name limit ${size}
    `.all(read)
    const names = rows.map(({ name }) => name)
    found.push(...(await ownersOf(names, ids).all(read)))
    last = names.length < size ? undefined : names.at(-1)
  }
  return found.slice(0, limit)
}

/** Each name by itself: see `listsWith` of search.ts. */
const ownersOf = (names: readonly string[], ids: readonly number[]) => sql<ListedProgram>`
  ${unnamed} select name as program, array_agg(lists.id) as lists
  from unnest(${names}::text[]) as names (name),
  lateral (select id from software_profiles where programs @> array[name]) as lists
  where lists.id = any(${ids}::bigint[])
  group by name collate "C", name order by name collate "C"`

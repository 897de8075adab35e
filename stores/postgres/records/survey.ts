// What many computers have, read for the whole fleet: lists that they share are read once.
import type { ListedProgram, ProgramPage, Store, SurveyedComputer, SurveyedPartition } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { type Sql, sql, unnamed } from '../connection/sql.ts'
import { listsWith, matches } from './search.ts'
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
  linesOf(sql`id = any(${ids}::bigint[])`, sql`${matches('line', like)} and line collate "C" > ${after}`, limit).all(
    read,
  )

/** The names of all lists are looked through a page at a time, as these lists may have few of them. */
async function readByNames(
  read: Database['read'],
  ids: readonly number[],
  { like, after = '', limit }: ProgramPage,
): Promise<ListedProgram[]> {
  const found: ListedProgram[] = []
  for (let last: string | undefined = after; last !== undefined && found.length < limit; ) {
    const rows: { name: string }[] = await sql<{ name: string }>`
      select name from program_names where ${matches('name', like)} and name > ${last} order by name limit ${limit}
    `.all(read)
    const names = rows.map(({ name }) => name)
    const hasLines = sql`id in (${listsWith(names)}) and id = any(${ids}::bigint[])`
    found.push(...(await linesOf(hasLines, sql`line = any(${names}::text[])`, limit).all(read)))
    last = names.length < limit ? undefined : names.at(-1)
  }
  return found.slice(0, limit)
}

const linesOf = (lists: Sql, lines: Sql, limit: number) => sql<ListedProgram>`
  ${unnamed} select line as program, array_agg(distinct id) as lists
  from software_profiles, unnest(programs) as lines (line)
  where ${lists} and ${lines}
  group by line collate "C", line order by line collate "C" limit ${limit}
`

// Reads the entries of a dump page by page, so that a dump needs little memory.
import { groupBy } from '../../rules/group-by.ts'
import type { Collections, Entry } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { type Sql, sql } from '../connection/sql.ts'
import { groupByJob, type PartRow, partColumns, toPart } from '../jobs/work-rows.ts'
import type { SqlTable } from '../records/sql-table.ts'
import { type CollectionName, partitions, tables } from '../records/tables.ts'

/** Rows of a page; a list of software is as large as hundreds of other rows, and what is kept of a room as thousands. */
const pageRows = 1000
const fewRows: Partial<Record<CollectionName, number>> = { software: 50, undos: 10 }
/** Bytes of the outputs in a page of parts. */
const pageBytes = 4 << 20

export async function* readRows(statements: Statements, name: CollectionName): AsyncGenerator<Entry> {
  const table: SqlTable<Collections[CollectionName]> = tables[name]
  const limit = fewRows[name] ?? pageRows
  for (let last = 0; ; ) {
    const condition = sql`id > ${last + table.idOffset}`
    const rows = await table.list(statements, condition, sql`limit ${limit}`)
    for (const row of rows) yield [name, row]
    last = rows.at(-1)?.id ?? last
    if (rows.length < limit) return
  }
}

export async function* readPartitions(statements: Statements): AsyncGenerator<Entry> {
  for (let last = 0; ; ) {
    const computers = await sql<{ id: number }>`
      select id from computers where id > ${last} order by id limit ${pageRows}
    `.all(statements)
    const end = computers.at(-1)?.id ?? last
    const rows = await sql<{ computer: number }>`
      select computer_id as computer, ${partitions.columns} from partitions
      where computer_id > ${last} and computer_id <= ${end}
      order by computer_id, disk, partition
    `.all(statements)
    for (const [id, disks] of groupBy(rows, ({ computer }) => computer)) {
      yield ['partitions', { id, rows: disks.map(row => partitions.read(row)) }]
    }
    last = end
    if (computers.length < pageRows) return
  }
}

/** First the sizes of a page's outputs, then as many of its parts as may be in memory. */
export async function* readParts(statements: Statements): AsyncGenerator<Entry> {
  for (let last: PartKey = { job: 0, part: 0 }; ; ) {
    const sizes = await partsAfter<{ output_bytes: number }>(last, sql`output_bytes`, pageRows).all(statements)
    if (sizes.length === 0) return
    const values = sql`${partColumns}, output`
    const rows = await partsAfter<PartRow & PartKey>(last, values, countFitting(sizes)).all(statements)
    for (const [id, parts] of groupByJob(rows)) {
      yield ['parts', { id, from: parts[0]?.part ?? 0, parts: parts.map(toPart).map(({ index: _, ...part }) => part) }]
    }
    last = rows.at(-1) ?? last
  }
}

interface PartKey {
  job: number
  part: number
}

const partsAfter = <Row>({ job, part }: PartKey, columns: Sql, limit: number) => sql<Row>`
  select job_id as job, ${columns} from job_parts where (job_id, part) > (${job}::bigint, ${part}::integer)
  order by job_id, part limit ${limit}`

/** At least one. */
function countFitting(sizes: { output_bytes: number }[]): number {
  let bytes = 0
  const tooMany = sizes.findIndex(({ output_bytes }) => {
    bytes += output_bytes
    return bytes > pageBytes
  })
  return tooMany < 0 ? sizes.length : Math.max(1, tooMany)
}

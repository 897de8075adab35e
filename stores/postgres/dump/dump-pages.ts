// Reads the entries of a dump page by page, so that a dump needs little memory.
import { sql } from 'kysely'
import type { Collections, Entry, IndexedPart, Partition } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { partColumns, toPart } from '../jobs/work-rows.ts'
import { type CollectionTable, collectionTables } from '../records/collection-tables.ts'
import { toPartition } from '../records/inventory.ts'
import type { Tables } from '../records/table-types.ts'

/** Rows of a page; a list of software is as large as hundreds of other rows. */
const pageRows = 1000
const softwareRows = 50
/** Bytes of the outputs in a page of parts. */
const pageBytes = 4 << 20

export async function* readRows(statements: Statements, name: keyof typeof collectionTables): AsyncGenerator<Entry> {
  const { table, read }: CollectionTable = collectionTables[name]
  const limit = name === 'software' ? softwareRows : pageRows
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select * from ${sql.table(table)} where id > ${last} order by id limit ${limit}
    `.execute(statements)
    for (const row of rows) {
      // `as`: the row is one of this collection's table.
      const record = read(row as never)
      if (record) yield [name, record]
    }
    last = rows.at(-1)?.id ?? last
    if (rows.length < limit) return
  }
}

export async function* readPartitions(statements: Statements): AsyncGenerator<Entry> {
  for (let last = 0; ; ) {
    const computers = await statements
      .selectFrom('computers')
      .select('id')
      .where('id', '>', last)
      .orderBy('id')
      .limit(pageRows)
      .execute()
    const end = computers.at(-1)?.id ?? last
    const rows = await statements
      .selectFrom('partitions')
      .selectAll()
      .where('computer', '>', last)
      .where('computer', '<=', end)
      .orderBy('computer')
      .orderBy('disk')
      .orderBy('partition')
      .execute()
    yield* toPartitionEntries(rows)
    last = end
    if (computers.length < pageRows) return
  }
}

function* toPartitionEntries(rows: (Parameters<typeof toPartition>[0] & { computer: number })[]): Generator<Entry> {
  let entry: Collections['partitions'] | undefined
  for (const row of rows) {
    const partition: Partition = toPartition(row)
    if (entry?.id === row.computer) entry.rows.push(partition)
    else {
      if (entry) yield ['partitions', entry]
      entry = { id: row.computer, rows: [partition] }
    }
  }
  if (entry) yield ['partitions', entry]
}

/** First the sizes of a page's outputs, then as many of its parts as may be in memory. */
export async function* readParts(statements: Statements): AsyncGenerator<Entry> {
  for (let last: PartKey = { job: 0, part: 0 }; ; ) {
    const sizes = await partsAfter(statements, last).select(['job', 'part', 'output_bytes']).limit(pageRows).execute()
    if (sizes.length === 0) return
    const rows = await partsAfter(statements, last)
      .select(['job', ...partColumns, 'output'])
      .limit(countFitting(sizes))
      .execute()
    yield* toPartEntries(rows.map(row => ({ job: row.job, part: toPart(row) })))
    last = rows.at(-1) ?? last
  }
}

type PartKey = Pick<Tables['job_parts'], 'job' | 'part'>

const partsAfter = (statements: Statements, { job, part }: PartKey) =>
  statements
    .selectFrom('job_parts')
    .where(sql<boolean>`(job, part) > (${job}::bigint, ${part}::integer)`)
    .orderBy('job')
    .orderBy('part')

/** At least one. */
function countFitting(sizes: { output_bytes: number }[]): number {
  let bytes = 0
  const tooMany = sizes.findIndex(({ output_bytes }) => {
    bytes += output_bytes
    return bytes > pageBytes
  })
  return tooMany < 0 ? sizes.length : Math.max(1, tooMany)
}

function* toPartEntries(rows: { job: number; part: IndexedPart }[]): Generator<Entry> {
  let entry: Collections['parts'] | undefined
  for (const { job, part } of rows) {
    const { index, ...values } = part
    if (entry?.id === job) entry.parts.push(values)
    else {
      if (entry) yield ['parts', entry]
      entry = { id: job, from: index, parts: [values] }
    }
  }
  if (entry) yield ['parts', entry]
}

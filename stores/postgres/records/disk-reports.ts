// Stores an agent's report of its disks: one statement, unless a filesystem or an operating system has a new name.
import type { DiskReport } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { type ColumnTypes, sql, toTable } from '../connection/sql.ts'
import { Additions, addNames, type Outcome } from './interned-names.ts'

type Rows = DiskReport['rows']

/** The returned function resolves to false for an unknown computer. */
export function createReports({ write, transaction }: Database): (ip: string, report: DiskReport) => Promise<boolean> {
  const additions = new Additions()
  return async (ip, report) => {
    const rows = lastOfEachPartition(report.rows)
    const replace = (statements: Statements) => replaceRows(statements, ip, rows, report.serial_number)
    return additions.storeOrAdd(
      'names',
      () => write(replace),
      () =>
        transaction(async statements => {
          const computers = await sql`select from computers where ip = ${ip} for no key update`.run(statements)
          if (computers === 0) return { is_known: false, is_stored: false }
          const systems = rows.flatMap(({ os }) => (os === '' ? [] : [os]))
          await addNames(statements, 'operating_systems', systems)
          const filesystems = rows.map(({ filesystem }) => filesystem)
          await addNames(statements, 'filesystems', filesystems)
          return replace(statements)
        }),
    )
  }
}

function lastOfEachPartition(rows: Rows): Rows {
  return [...new Map(rows.map(row => [`${row.disk} ${row.partition}`, row])).values()]
}

/**
 * Stores nothing when a name is missing, or when another report of this computer, which this statement cannot see, has
 * added or removed partitions: its count `layout` is then higher in the locked row than in the state that is read.
 */
function replaceRows(statements: Statements, ip: string, rows: Rows, serial: string): Promise<Outcome> {
  return sql<Outcome>`
    with computer as (
      select id, layout from computers where ip = ${ip} for no key update
    ),
    reported as (
      select listed.*, filesystems.id as filesystem_id, operating_systems.id as system_id
      from ${toTable('listed', rowTypes, rows)}
      left join filesystems on filesystems.name = listed.filesystem
      left join operating_systems on operating_systems.name = listed.os
    ),
    ready as (
      select id from computer
      where layout = (select layout from computers where ip = ${ip})
        and not exists (select from reported where filesystem_id is null or (os <> '' and system_id is null))
    ),
    removed as (
      delete from partitions using ready
      where computer_id = ready.id
        and not exists (
          select from reported
          where reported.disk = partitions.disk and reported.partition = partitions.partition
        )
      returning computer_id
    ),
    stored as (
      insert into partitions as before
        (computer_id, disk, partition, code, size, used_size, filesystem_id, operating_system_id)
      select ready.id, disk, partition, code, size, used_size, filesystem_id, system_id from ready, reported
      on conflict (computer_id, disk, partition) do update set
        code = excluded.code, size = excluded.size, used_size = excluded.used_size,
        filesystem_id = excluded.filesystem_id, operating_system_id = excluded.operating_system_id,
        image_id = case when ${isUnchanged} then before.image_id end,
        software_profile_id = case when ${isUnchanged} then before.software_profile_id end
      where not ${isUnchanged} or (before.code, before.used_size) <> (excluded.code, excluded.used_size)
      -- True for an inserted row.
      returning xmax = 0 as is_new
    ),
    counted as (
      update computers set
        serial_number = coalesce(computers.serial_number, nullif(${serial}, '')),
        layout = computers.layout + 1
      from ready
      where computers.id = ready.id and (
        (computers.serial_number is null and ${serial} <> '')
        or exists (select from removed)
        or exists (select from stored where is_new)
      )
    )
    select exists (select from computer) as is_known, exists (select from ready) as is_stored
  `.one(statements)
}

const rowTypes: ColumnTypes<Rows[number]> = {
  disk: 'bigint',
  partition: 'bigint',
  code: 'bigint',
  size: 'bigint',
  used_size: 'double precision',
  filesystem: 'text',
  os: 'text',
}

/** Then the partition keeps its image and software. */
const isUnchanged = sql`(
  before.size = excluded.size and before.filesystem_id = excluded.filesystem_id
  and before.operating_system_id is not distinct from excluded.operating_system_id
)`

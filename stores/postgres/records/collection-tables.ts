// The tables whose rows are the entries of a dump's collections, one for one: how each row is read and stored.
import { toFilesystemId, toFilesystemRow } from '../../rules/filesystem-names.ts'
import type { Collections } from '../../store.ts'
import { join, raw, type Sql, sql } from '../connection/sql.ts'
import {
  fromJob,
  fromProcedure,
  fromSchedule,
  fromScheduledCommand,
  fromTask,
  toJob,
  toProcedure,
  toSchedule,
  toScheduledCommand,
  toTask,
} from '../jobs/work-rows.ts'
import { fromRoom, roomColumns, toRepository } from './centers.ts'
import { allNames, computerColumns, insertComputers, toComputer, toRow } from './computer-rows.ts'
import { fromImage, imageColumns, toImage } from './images.ts'
import { toHardwareItems, toHardwareProfile, toSoftwareProfile } from './profile-digest.ts'
import { fromToken, fromUser, tokenColumns, userColumns } from './tokens-and-users.ts'

/** Those of the other collections have several rows for one entry. */
type Simple = Exclude<keyof Collections, 'partitions' | 'parts'>

export interface CollectionTable<Name extends keyof Collections = keyof Collections> {
  table: string
  columns: Sql
  /** Undefined for a row that no dump contains. */
  read(row: never): Collections[Name] | undefined
  insert(records: Collections[Name][]): Sql
}

interface CollectionOptions<Row, Stored> {
  table: string
  /** The values of a row without its id. */
  from(row: Row): object
  /** Default: all of them. */
  columns?: Sql
  /** Default: the row as it is. */
  to?(stored: Stored): Row | undefined
}

function collection<Name extends Simple, Stored = Collections[Name]>({
  table,
  from,
  columns = raw('*'),
  to,
}: CollectionOptions<Collections[Name], Stored>): CollectionTable<Name> {
  return {
    table,
    columns,
    read: to ?? (row => row),
    insert: records =>
      insertRows(
        table,
        records.map(record => ({ id: record.id, ...from(record) })),
      ),
  }
}

const named = ({ name }: { name: string }) => ({ name })

export const collectionTables: { readonly [Name in Simple]: CollectionTable<Name> } = {
  centers: collection({ table: 'centers', from: ({ name, comment }) => ({ name, comment }) }),
  rooms: collection({ table: 'rooms', from: fromRoom, columns: roomColumns }),
  tokens: collection({ table: 'tokens', from: fromToken, columns: tokenColumns }),
  users: collection({ table: 'users', from: fromUser, columns: userColumns }),
  repositories: collection({
    table: 'repositories',
    from: ({ name, ip, slots = 0 }) => ({ name, ip, slots }),
    to: toRepository,
  }),
  systems: collection({ table: 'operating_systems', from: named }),
  filesystems: collection({
    table: 'filesystems',
    from: ({ id, name }) => ({ id: toFilesystemId(id), name }),
    to: ({ id, name }) => (toFilesystemRow(id) === 0 ? undefined : { id: toFilesystemRow(id), name }),
  }),
  hardware: collection({
    table: 'hardware_profiles',
    from: ({ items }) => toHardwareProfile(items),
    to: (row: { id: number; types: string[]; descriptions: string[] }) => ({ id: row.id, items: toHardwareItems(row) }),
  }),
  software: collection({ table: 'software_profiles', from: toSoftwareProfile, columns: raw('id, os, programs') }),
  images: collection({ table: 'images', from: fromImage, columns: imageColumns, to: toImage }),
  computers: {
    table: 'computers',
    columns: computerColumns,
    read: toComputer,
    insert: records => insertComputers(['id', ...allNames], records.map(toRow)),
  },
  procedures: collection({ table: 'procedures', from: fromProcedure, to: toProcedure }),
  tasks: collection({ table: 'tasks', from: fromTask, to: toTask }),
  errands: collection({ table: 'scheduled_commands', from: fromScheduledCommand, to: toScheduledCommand }),
  schedules: collection({ table: 'schedules', from: fromSchedule, to: toSchedule }),
  jobs: collection({ table: 'jobs', from: fromJob, to: toJob }),
}

/** At most a thousand rows, and at least one: a statement has no more than 65,535 parameters. */
export function insertRows(table: string, rows: readonly object[]): Sql {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map(row => sql`(${join(columns.map(column => Reflect.get(row, column)))})`)
  return sql`insert into ${raw(`${table} (${columns.join(', ')})`)} values ${join(values)}`
}

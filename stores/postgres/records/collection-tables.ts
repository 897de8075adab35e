// The tables whose rows are the entries of a dump's collections, one for one: how each row is read and stored.
import { type Insertable, type Selectable, sql } from 'kysely'
import { toFilesystemId, toFilesystemRow } from '../../filesystem-names.ts'
import type { Collections } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
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
import { fromRoom, toRepository, toRoom } from './centers.ts'
import { allNames, toAssignments, toComputer, toRow, toTable } from './computer-rows.ts'
import { toImage } from './images.ts'
import { toHardwareItems, toHardwareProfile, toSoftwareProfile } from './profile-digest.ts'
import type { Tables } from './table-types.ts'
import { fromAccount, toUser } from './tokens-and-users.ts'

/** Those of the other collections have several rows for one entry. */
type Simple = Exclude<keyof Collections, 'partitions' | 'parts'>

export interface CollectionTable<Name extends keyof Collections = keyof Collections> {
  table: keyof Tables
  /** Undefined for a row that no dump contains. */
  read(row: never): Collections[Name] | undefined
  insert(statements: Statements, records: Collections[Name][]): Promise<unknown>
}

function collection<Name extends Simple, Table extends keyof Tables>(
  table: Table,
  read: (row: Selectable<Tables[Table]>) => Collections[Name] | undefined,
  toValues: (record: Collections[Name]) => Insertable<Tables[Table]>,
): CollectionTable<Name> {
  return { table, read, insert: (statements, records) => insertRows(statements, table, records.map(toValues)) }
}

export const collectionTables: { readonly [Name in Simple]: CollectionTable<Name> } = {
  centers: collection(
    'centers',
    row => row,
    ({ id, name, comment }) => ({ id, name, comment }),
  ),
  rooms: collection('rooms', toRoom, room => ({ id: room.id, ...fromRoom(room) })),
  tokens: collection(
    'tokens',
    ({ expires, ...row }) => ({ ...toUser(row), expires }),
    token => ({ id: token.id, ...fromAccount('tokens', token), expires: token.expires }),
  ),
  users: collection('users', toUser, user => ({ id: user.id, ...fromAccount('users', user) })),
  repositories: collection('repositories', toRepository, ({ id, name, ip, slots = 0 }) => ({ id, name, ip, slots })),
  systems: collection(
    'operating_systems',
    row => row,
    ({ id, name }) => ({ id, name }),
  ),
  filesystems: collection(
    'filesystems',
    ({ id, name }) => (toFilesystemRow(id) === 0 ? undefined : { id: toFilesystemRow(id), name }),
    ({ id, name }) => ({ id: toFilesystemId(id), name }),
  ),
  hardware: collection(
    'hardware_profiles',
    row => ({ id: row.id, items: toHardwareItems(row) }),
    ({ id, items }) => ({ id, ...toHardwareProfile(items) }),
  ),
  software: collection(
    'software_profiles',
    ({ id, os, programs }) => ({ id, os, programs }),
    ({ id, ...software }) => ({ id, ...toSoftwareProfile(software) }),
  ),
  images: collection('images', toImage, image => ({
    id: image.id,
    name: image.name,
    description: image.description,
    repo_id: image.repo_id,
    type: image.type,
    datasize: image.datasize,
    software_profile: image.software_id || null,
    group_number: image.group_id,
    center_number: image.center_id,
    room_number: image.room_id ?? 0,
    clonator: image.clonator,
    compressor: image.compressor,
    filesystem: image.filesystem,
    version: image.version ?? 0,
    disk: image.disk ?? 0,
    partition: image.partition ?? 0,
  })),
  computers: { table: 'computers', read: toComputer, insert: insertComputers },
  procedures: collection('procedures', toProcedure, row => ({ id: row.id, ...fromProcedure(row) })),
  tasks: collection('tasks', toTask, row => ({ id: row.id, ...fromTask(row) })),
  errands: collection('scheduled_commands', toScheduledCommand, row => ({ id: row.id, ...fromScheduledCommand(row) })),
  schedules: collection('schedules', toSchedule, row => ({ id: row.id, ...fromSchedule(row) })),
  jobs: collection('jobs', toJob, row => ({ id: row.id, conditions: null, ...fromJob(row) })),
}

/** At most a thousand rows: a statement has no more than 65,535 parameters. */
export async function insertRows(statements: Statements, table: keyof Tables, rows: object[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.entries(first).flatMap(([column, value]) => (value === undefined ? [] : column))
  const values = rows.map(row => sql`(${sql.join(columns.map(column => Reflect.get(row, column)))})`)
  const names = sql.join(columns.map(column => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(statements)
}

/** A computer that names a profile which is not there keeps its number. */
async function insertComputers(statements: Statements, records: Collections['computers'][]): Promise<void> {
  const assignments = toAssignments(['id', ...allNames])
  await sql`
    insert into computers (${sql.join(assignments.map(({ column }) => column))})
    select ${sql.join(assignments.map(({ value }) => value))} from ${toTable(['id', ...allNames], records.map(toRow))}
  `.execute(statements)
}

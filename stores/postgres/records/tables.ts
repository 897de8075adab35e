// The tables of the records, by the names of the collections.
import { createHash } from 'node:crypto'
import { records } from '../../records/all-records.ts'
import { partition as partitionRecord } from '../../records/computer.ts'
import { part as partRecord } from '../../records/job.ts'
import {
  about,
  type Column,
  list,
  number,
  optionalText,
  type RecordOf,
  record,
  text,
} from '../../records/record-columns.ts'
import { undoItem } from '../../records/undo-item.ts'
import { lastFixedId } from '../../rules/filesystem-names.ts'
import type { Collections, HardwareItem, Procedure } from '../../store.ts'
import { SqlTable } from './sql-table.ts'

/** Those of the other collections have several rows for one entry. */
export type CollectionName = Exclude<keyof Collections, 'partitions' | 'parts' | 'events'>

const named = { id: number, name: about('Unique.', text) }

const lists = record({ types: list(text), descriptions: list(text) })

/** Columns have no lists of records: types and descriptions are lists of their own. */
const items: Column<HardwareItem[], RecordOf<typeof lists>> & Pick<typeof lists, 'columns'> = {
  columns: lists.columns,
  store: items => ({
    types: items.map(({ type }) => type),
    descriptions: items.map(({ description }) => description),
  }),
  read: ({ types, descriptions }) => types.map((type, at) => ({ type, description: descriptions[at] ?? '' })),
}

/**
 * Two lists with the same texts in the same sequence have the same digest, and share one row. It is stored: a change of
 * its form needs a migration.
 */
const digest = <Value>(textsOf: (value: Value) => string[]) => ({
  columns: { digest: about('Of its texts: equal lists are one row.', text) },
  of: (value: Value) => ({
    digest: createHash('sha256')
      .update(JSON.stringify(textsOf(value)))
      .digest('base64url'),
  }),
})

const namedSteps = {
  columns: {
    procedure_steps: about('The ids of the procedures that the steps name.', list(number)),
    task_steps: about('The ids of the tasks that the steps name.', list(number)),
  },
  of: ({ steps }: Pick<Procedure, 'steps'>) => ({
    procedure_steps: steps.flatMap(step => ('procedure' in step ? step.procedure : [])),
    task_steps: steps.flatMap(step => ('task' in step ? step.task : [])),
  }),
}

export const tables = {
  centers: new SqlTable('centers', records.centers),
  rooms: new SqlTable('rooms', records.rooms, { columns: { group: 'group_id' } }),
  tokens: new SqlTable('tokens', records.tokens, { columns: { by: 'maker' } }),
  users: new SqlTable('users', records.users, { columns: { by: 'maker' } }),
  repositories: new SqlTable('repositories', records.repositories),
  groups: new SqlTable('computer_groups', records.groups, { columns: { where: 'query' } }),
  systems: new SqlTable('operating_systems', record(named, 'Names of operating systems that partitions have.')),
  filesystems: new SqlTable(
    'filesystems',
    record(named, 'Names of filesystems: from id 22 on those that agents reported, before them a fixed list.'),
    { idOffset: lastFixedId },
  ),
  hardware: new SqlTable('hardware_profiles', record({ id: number, items }, 'Lists of devices that computers share.'), {
    columns: { items: { types: 'types', descriptions: 'descriptions' } },
    more: digest(({ items }) => items.flatMap(({ type, description }) => [type, description])),
  }),
  software: new SqlTable(
    'software_profiles',
    record(
      { id: number, os: optionalText, programs: list(text) },
      'Lists of programs that partitions and images share.',
    ),
    { more: digest(({ os, programs }) => [os, ...programs]) },
  ),
  images: new SqlTable('images', records.images, {
    select: { partition: 'case when images.disk > 0 then images.partition end' },
  }),
  /** Its column `hardware_id` is two in the table: see `computer-rows.ts`. */
  computers: new SqlTable('computers', records.computers, {
    columns: { hardware_id: 'hardware_id', place: { row: 'seat_row', column: 'seat_column' } },
    select: { hardware_id: 'coalesce(computers.hardware_profile_id, computers.hardware_number)' },
    elsewhere: 'hardware_id',
  }),
  procedures: new SqlTable('procedures', records.procedures, { more: namedSteps }),
  tasks: new SqlTable('tasks', records.tasks, {
    columns: { scope: { type: 'scope_type', id: 'scope_id' }, where: 'query' },
    more: namedSteps,
  }),
  errands: new SqlTable('scheduled_commands', records.errands, { columns: { where: 'query' } }),
  schedules: new SqlTable('schedules', records.schedules, {
    columns: { task: 'target_id', by: 'maker', plan: { task: 'plan_task_id', procedure: 'plan_procedure_id' } },
  }),
  jobs: new SqlTable('jobs', records.jobs, {
    columns: { by: 'maker', where: 'query' },
    more: {
      columns: { commands: about('Those of the steps, for filters.', list(text)) },
      of: ({ steps }) => ({ commands: [...new Set(steps.map(({ command }) => command))] }),
    },
  }),
  documents: new SqlTable('documents', records.documents),
  undos: new SqlTable('undos', records.undos, { columns: { by: 'maker' } }),
} satisfies { readonly [Name in CollectionName]: SqlTable<Collections[Name]> }

/** A row that has lost its image keeps what was known of it. */
export const partitions = new SqlTable('partitions', partitionRecord, {
  select: {
    image_version: 'case when partitions.image_id is not null then partitions.image_version end',
    image_since: 'case when partitions.image_id is not null then partitions.image_since end',
  },
})

/** Without the content. */
export const undoItems = new SqlTable('undos', undoItem, { columns: { by: 'maker' } })

export const parts = new SqlTable('job_parts', partRecord)

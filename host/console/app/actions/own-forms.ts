// Forms of commands that ask less than their schemas, or in other words.
import type { ComponentType } from 'preact'
import { CreateFields } from './create-fields.tsx'
import type { FieldValues, OwnFieldsProps } from './field-values.ts'
import { SelectionRestore, type SelectionRestoreProps } from './restore-form.tsx'
import { keepScript, LibraryFields, ScriptFields } from './script-fields.tsx'
import { SystemFields } from './system-fields.tsx'

export interface OwnForm {
  /** Fields of the schema that are not shown. */
  hidden: readonly string[]
  /** What they begin with. */
  first?: FieldValues
  /** Above the fields of the schema. */
  Fields?: ComponentType<OwnFieldsProps>
  /** Of the records that it deletes, for `GET /deletion`. */
  deletes?: string
  /** It has no meaning later. */
  isNow?: boolean
  /** In place of the whole form: it has more than the payload of the command. */
  Form?: ComponentType<SelectionRestoreProps>
  /** After an accepted request. */
  onSent?(values: FieldValues): void
}

const noPartition = { code: 'EMPTY', filesystem: 'EMPTY', size: '0', format: '0' }

/** The table has four at least. */
const newPartitions = ['1', '2', '3', '4'].map(partition => ({ partition, ...(partition !== '1' && noPartition) }))

const ownForms: Readonly<Record<string, OwnForm | undefined>> = {
  wol: { hidden: ['type'], first: { type: 'broadcast' } },
  stop: { hidden: [], isNow: true },
  'client-delete': { hidden: [], deletes: 'computer' },
  setup: { hidden: [], first: { cache: '0', cache_size: '0', partition_setup: newPartitions } },
  'image-restore': { hidden: [], Form: SelectionRestore },
  'cache-fetch': { hidden: ['repository'] },
  session: { hidden: ['disk', 'partition'], Fields: SystemFields },
  'image-create': {
    hidden: [
      'disk',
      'partition',
      'name',
      'id',
      'code',
      'repository',
      'repository_id',
      'description',
      'group_id',
      'center_id',
    ],
    Fields: CreateFields,
  },
  'shell-run': {
    hidden: ['echo'],
    first: { echo: true },
    Fields: ScriptFields,
    onSent: ({ run }) => keepScript(String(run)),
  },
  'script-run': { hidden: ['script', 'values', 'version'], Fields: LibraryFields },
}

export const ownFormOf = (command: string): OwnForm => ownForms[command] ?? { hidden: [] }

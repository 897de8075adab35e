// The form for the record of a computer: sends what was changed, and nothing else.
import type { ComputerAnswer, LiveSystemsAnswer, RepositoriesAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { type MessageKey, t } from '../../language/translate.ts'
import { useFormRecord } from '../../parts/changed-meanwhile.ts'
import { Choice, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { DeletionButton } from '../../parts/record-actions.tsx'
import { TagField, tagsIn } from '../../parts/tag-field.tsx'
import { chooseCommand } from '../../state/commands.ts'
import { rooms, viewOf } from '../../state/lab.ts'
import { ofLists, useResource } from '../../state/resource.ts'

export interface RecordFormProps {
  record: ComputerAnswer
  onClose(): void
}

export function RecordForm({ record, onClose }: RecordFormProps) {
  const form = `computer/${record.id}`
  const { shown = record, before, save } = useFormRecord(form, { record })
  const send = async (form: HTMLFormElement) => {
    const change = changeOf(before.current ?? record, new FormData(form))
    if (typeof change === 'string') return change
    return save(change, fields => post('/client/update', { ip: record.ip, ...fields }))
  }
  const remove = () => {
    const computer = viewOf(record.ip)
    onClose()
    if (computer) chooseCommand('client-delete', [computer])
  }
  const title = t('computer.editTitle', { name: record.name })
  return (
    <FormDialog form={form} title={title} size="wide" action={t('records.save')} send={send} onClose={onClose}>
      <Fields record={shown} />
      <TagField key={shown.tags?.join(' ')} first={shown.tags ?? []} />
      <DeletionButton text={t('computer.delete')} press={remove} />
    </FormDialog>
  )
}

function Fields({ record }: { record: ComputerAnswer }) {
  const repositories = useResource<RepositoriesAnswer>('/repositories', ofLists('repositories'))
  const lives = useResource<LiveSystemsAnswer>('/oglive/list')
  const folders = lives.value.value?.oglive.map(({ directory }) => directory) ?? []
  const stores =
    repositories.value.value?.repositories.map(({ id, name, ip }) => [id, `${name} (${ip})`] as const) ?? []
  return (
    <div class="columns">
      <Text name="name" title="field.name" value={record.name} required />
      <Text name="mac" title="field.mac" value={formatMac(record.mac)} required />
      <Choice
        name="room"
        label={t('field.room')}
        value={record.room}
        options={rooms.value.map(({ id, name, centerName }) => [id, `${centerName} / ${name}`])}
      />
      <Text name="serial_number" title="field.serial" value={record.serial_number} />
      <Text name="netmask" title="field.netmask" value={record.netmask} />
      <Choice name="repo_id" label={t('field.repository')} value={record.repo_id} options={stores} />
      <Text name="netiface" title="field.netiface" value={record.netiface} />
      <Text name="netdriver" title="field.netdriver" value={record.netdriver} />
      <Choice
        name="livedir"
        label={t('field.livedir')}
        value={record.livedir}
        options={[...new Set([record.livedir, ...folders])].map(name => [name, name])}
      />
      <div class="row fields">
        <Seat name="row" title="field.row" value={record.place?.row} />
        <Seat name="column" title="field.column" value={record.place?.column} />
      </div>
      <Flag name="maintenance" title="computer.maintenanceHint" value={record.maintenance} />
      <Flag name="remote" title="computer.remoteHint" value={record.remote} />
    </div>
  )
}

/** 12 hex digits in pairs. */
export const formatMac = (mac: string): string => mac.replaceAll(/..(?!$)/g, '$&:')

interface NamedProps<Value> {
  name: string
  title: MessageKey
  value: Value
}

const Text = ({ title, ...field }: NamedProps<string> & { required?: boolean }) => (
  <TextField label={t(title)} maxLength={256} {...field} />
)

const Seat = ({ title, ...field }: NamedProps<number | undefined>) => (
  <TextField label={t(title)} type="number" min={1} max={99} {...field} />
)

const Flag = ({ name, title, value }: NamedProps<boolean>) => (
  <label class="check wide">
    <input key={String(value)} type="checkbox" name={name} defaultChecked={value} /> {t(title)}
  </label>
)

const texts = ['name', 'serial_number', 'netmask', 'netiface', 'netdriver', 'livedir'] as const
const numbers = ['room', 'repo_id'] as const
const flags = ['maintenance', 'remote'] as const

/** The values that differ from the record, as `client/update` takes them, or why they are not complete. */
function changeOf(record: ComputerAnswer, data: FormData): Record<string, unknown> | string {
  const change: Record<string, unknown> = {}
  const field = (name: string) => String(data.get(name) ?? '').trim()
  for (const key of texts) if (data.has(key) && field(key) !== record[key]) change[key] = field(key)
  for (const key of numbers) if (data.has(key) && Number(field(key)) !== record[key]) change[key] = Number(field(key))
  for (const key of flags) if (data.has(key) !== record[key]) change[key] = data.has(key)
  const tags = tagsIn(data)
  if (tags.join(' ') !== (record.tags ?? []).join(' ')) change.tags = tags
  const mac = field('mac').replaceAll(/[:-]/g, '').toLowerCase()
  if (mac !== record.mac.toLowerCase()) change.mac = field('mac')
  const [row, column] = [field('row'), field('column')]
  if ((row === '') !== (column === '')) return t('computer.placeHint')
  const isSame = row === String(record.place?.row ?? '') && column === String(record.place?.column ?? '')
  if (!isSame) change.place = row === '' ? null : { row: Number(row), column: Number(column) }
  return change
}

// The form of a group: a name with a query or with a list of computers.
import { useSignal } from '@preact/signals'
import type { GroupAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { changedPart, useFormRecord } from '../../parts/changed-meanwhile.ts'
import { addressesIn, ComputerChoice, type ComputerSet } from '../../parts/computer-choice.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { QueryField } from '../../parts/query-field.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { selectedComputers } from '../../state/selection.ts'

export interface GroupFormProps {
  /** Undefined for a new one, which begins with what is selected. */
  group: GroupAnswer | undefined
  onClose(): void
  onSaved(): void
}

export function GroupForm({ group, onClose, onSaved }: GroupFormProps) {
  const selected = group ? (group.clients ?? []) : selectedComputers().map(({ ip }) => ip)
  const isList = useSignal(selected.length > 0 || group?.clients !== undefined)
  const where = useSignal(group?.where ?? '')
  const computers = useSignal<ComputerSet>({ type: 'list', clients: selected })
  const { shown, before, clashOf } = useFormRecord(group, theirs => {
    if ('name' in theirs) return
    isList.value = theirs.clients !== undefined
    where.value = theirs.where ?? ''
    computers.value = { type: 'list', clients: theirs.clients ?? [] }
  })
  const send = async (form: HTMLFormElement) => {
    const name = String(new FormData(form).get('name')).trim()
    const content = isList.value ? { clients: addressesIn(computers.value) } : { where: where.value.trim() }
    if (!group) return post('/group/add', { name, ...content })
    const change = changedPart(before.current, { name, ...content })
    const fields = Object.keys(change)
    return clashOf(fields) ?? (fields.length === 0 ? undefined : post('/group/update', { group: group.id, ...change }))
  }
  const title = group ? t('groups.edit', { name: group.name }) : t('groups.new')
  return (
    <FormDialog title={title} size="wide" action={t('records.save')} send={send} onClose={onClose} onSaved={onSaved}>
      <label class="field">
        <span>{t('field.name')}</span>
        <input
          key={shown?.name}
          name="name"
          required
          maxLength={64}
          defaultValue={shown?.name ?? ''}
          autocomplete="off"
        />
      </label>
      <Tabs
        label={t('groups.kind')}
        options={[
          [false, t('groups.query')],
          [true, t('computers.list')],
        ]}
        value={isList.value}
        onChange={next => {
          isList.value = next
        }}
      />
      {isList.value ? (
        <ComputerChoice
          value={computers.value}
          onChange={next => {
            computers.value = next
          }}
        />
      ) : (
        <QueryField id="group-query" label={t('groups.query')} typed={where} />
      )}
    </FormDialog>
  )
}

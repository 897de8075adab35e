// The form of a group: a name with a query or with a list of computers.
import type { GroupAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { savedWithoutUndo } from '../../parts/change-words.ts'
import { useFormRecord } from '../../parts/changed-meanwhile.ts'
import { addressesIn, ComputerChoice, type ComputerSet } from '../../parts/computer-choice.tsx'
import { NameField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { QueryChoice } from '../../parts/query-field.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useDraft } from '../../state/drafts.ts'
import { selectedComputers } from '../../state/selection.ts'

export interface GroupFormProps {
  /** Undefined for a new one, which begins with what is selected. */
  group: GroupAnswer | undefined
  onClose(): void
  onSaved(): void
}

interface GroupDraft {
  name: string
  isList: boolean
  where: string
  computers: ComputerSet
}

const draftOf = ({ name = '', where = '', clients }: Partial<GroupAnswer>): GroupDraft => ({
  name,
  isList: where === '' && clients !== undefined,
  where,
  computers: { type: 'list', clients: clients ?? [] },
})

export function GroupForm({ group, onClose, onSaved }: GroupFormProps) {
  const form = `group/${group?.id}`
  const clients = selectedComputers().map(({ ip }) => ip)
  const { draft, change } = useDraft(form, draftOf(group ?? (clients.length > 0 ? { clients } : {})))
  const { save } = useFormRecord(form, {
    record: group,
    take: ({ name, ...theirs }) =>
      change(name === undefined ? { ...draftOf(theirs), name: draft.value.name } : { name }),
  })
  const { isList, where, computers } = draft.value
  const send = async () => {
    const name = draft.value.name.trim()
    const content = isList ? { clients: addressesIn(computers) } : { where: where.trim() }
    return save({ name, ...content }, typed =>
      group ? post('/group/update', { group: group.id, ...typed }) : post('/group/add', typed),
    )
  }
  const title = group ? t('groups.edit', { name: group.name }) : t('groups.new')
  return (
    <FormDialog
      form={form}
      title={title}
      size="wide"
      action={t('records.save')}
      send={send}
      onClose={onClose}
      onSaved={onSaved}
      {...(group && { saved: savedWithoutUndo })}
    >
      <NameField name={draft.value.name} change={change} maxLength={64} />
      <Tabs
        label={t('groups.kind')}
        options={[
          [false, t('groups.query')],
          [true, t('computers.list')],
        ]}
        value={isList}
        onChange={isList => change({ isList })}
      />
      {isList ? (
        <ComputerChoice value={computers} onChange={computers => change({ computers })} />
      ) : (
        <QueryChoice where={where} change={change} />
      )}
    </FormDialog>
  )
}

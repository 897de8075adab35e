// Adds a tag to the selected computers, or removes one.
import { useSignal } from '@preact/signals'
import { post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { TagInput } from '../parts/tag-field.tsx'
import { TargetList } from '../parts/target-list.tsx'
import { targetWords } from '../parts/target-words.ts'
import { useDraft, useTypedText } from '../state/drafts.ts'
import { selectedComputers } from '../state/selection.ts'

export function TagButton() {
  const clients = useSignal<readonly string[] | undefined>(undefined)
  // Clients without a record have none.
  const recorded = selectedComputers().filter(({ id }) => id > 0)
  if (recorded.length === 0) return null
  return (
    <>
      <Button
        text={t('tags.change')}
        class="menu-opener"
        press={() => (clients.value = recorded.map(({ ip }) => ip))}
      />
      {clients.value && <TagForm clients={clients.value} close={() => (clients.value = undefined)} />}
    </>
  )
}

function TagForm({ clients, close }: { clients: readonly string[]; close(): void }) {
  const { draft, change } = useDraft('tags', { tag: '', isRemoval: false })
  const { isRemoval } = draft.value
  const typed = useTypedText(draft.value.tag, tag => change({ tag }))
  const tagOf = () => typed.value.trim().toLowerCase()
  const send = async () => {
    const tag = tagOf()
    return tag === '' ? t('tags.none') : post('/tags/update', { clients, [isRemoval ? 'remove' : 'add']: [tag] })
  }
  return (
    <FormDialog
      form="tags"
      title={t('tags.change')}
      action={t('records.save')}
      send={send}
      saved={() => t('records.saved', { name: `${targetWords(clients)}: ${isRemoval ? '−' : '+'}${tagOf()}` })}
      onClose={close}
    >
      <p>{targetWords(clients)}</p>
      <TargetList clients={clients} />
      <Tabs
        label={t('tags.change')}
        options={[
          [false, t('tags.add')],
          [true, t('tags.removeOne')],
        ]}
        value={isRemoval}
        onChange={isRemoval => change({ isRemoval })}
      />
      <TagInput label={t('tags.one')} typed={typed} take={tag => (typed.value = tag)} />
    </FormDialog>
  )
}

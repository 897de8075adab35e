// Adds a tag to the selected computers, or removes one.
import { useSignal } from '@preact/signals'
import { post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { MoreMatches } from '../parts/more-matches.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { TagInput } from '../parts/tag-field.tsx'
import { targetWords } from '../parts/target-words.ts'
import { selectedComputers } from '../state/selection.ts'

export function TagButton() {
  const clients = useSignal<readonly string[] | undefined>(undefined)
  // Clients without a record have none.
  const recorded = selectedComputers().filter(({ id }) => id > 0)
  if (recorded.length === 0) return null
  return (
    <>
      <button
        type="button"
        class="menu-opener"
        onClick={() => {
          clients.value = recorded.map(({ ip }) => ip)
        }}
      >
        {t('tags.change')}
      </button>
      {clients.value && (
        <TagForm
          clients={clients.value}
          close={() => {
            clients.value = undefined
          }}
        />
      )}
    </>
  )
}

function TagForm({ clients, close }: { clients: readonly string[]; close(): void }) {
  const typed = useSignal('')
  const isRemoval = useSignal(false)
  const tagOf = () => typed.value.trim().toLowerCase()
  const send = async () => {
    const tag = tagOf()
    return tag === '' ? t('tags.none') : post('/tags/update', { clients, [isRemoval.value ? 'remove' : 'add']: [tag] })
  }
  return (
    <FormDialog
      title={t('tags.change')}
      action={t('records.save')}
      send={send}
      saved={() => t('records.saved', { name: `${targetWords(clients)}: ${isRemoval.value ? '−' : '+'}${tagOf()}` })}
      onClose={close}
    >
      <p>{targetWords(clients)}</p>
      <MoreMatches />
      <Tabs
        label={t('tags.change')}
        options={[
          [false, t('tags.add')],
          [true, t('tags.removeOne')],
        ]}
        value={isRemoval.value}
        onChange={next => {
          isRemoval.value = next
        }}
      />
      <TagInput
        label={t('tags.one')}
        typed={typed}
        take={tag => {
          typed.value = tag
        }}
      />
    </FormDialog>
  )
}

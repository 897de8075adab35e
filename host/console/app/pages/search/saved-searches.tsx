// The queries that the user has saved, and the form that saves one.
import { useSignal } from '@preact/signals'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { forgetSearch, linkToSearch, savedSearches, saveSearch } from '../../state/searches.ts'
import { mayGroup } from '../../state/session.ts'

/** `hrefOf`: the page that a query opens. */
export function SavedSearches({ hrefOf = linkToSearch }: { hrefOf?(where: string): string }) {
  const searches = savedSearches.value
  if (searches.length === 0) return null
  return (
    <ul class="row" aria-label={t('search.saved')}>
      {searches.map(({ name, where }) => (
        <li class="chip" key={name}>
          <a href={hrefOf(where)} title={where}>
            {name}
          </a>
          <Button
            text="×"
            class="plain icon"
            aria-label={t('search.forget', { name })}
            press={() => forgetSearch(name)}
          />
        </li>
      ))}
    </ul>
  )
}

export function SaveSearch({ where }: { where: string }) {
  const isOpen = useSignal(false)
  const save = async (form: HTMLFormElement) => {
    const data = new FormData(form)
    const name = String(data.get('name')).trim()
    if (data.has('group')) return post('/group/add', { name, where })
    saveSearch({ name, where })
    return undefined
  }
  const setOpen = (open: boolean) => {
    isOpen.value = open
  }
  return (
    <>
      <Button text={t('search.save')} press={() => setOpen(true)} />
      {isOpen.value && (
        <FormDialog
          form="search"
          title={t('search.save')}
          action={t('records.save')}
          send={save}
          onClose={() => setOpen(false)}
        >
          <p>
            <code>{where}</code>
          </p>
          <TextField label={t('field.name')} name="name" required maxLength={64} pattern=".*\S.*" />
          {mayGroup() && (
            <label class="check">
              <input type="checkbox" name="group" /> {t('search.asGroup')}
            </label>
          )}
          <p class="hint">{t('search.saveHint')}</p>
        </FormDialog>
      )}
    </>
  )
}

// Computers that a query finds, to look at, to select and to send commands to.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ActionBar } from '../../actions/action-bar.tsx'
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { QueryField } from '../../parts/query-field.tsx'
import { queryOfWords } from '../../state/found-elsewhere.ts'
import { route } from '../../state/route.ts'
import { openSearch } from '../../state/searches.ts'
import { FoundComputers } from './found-computers.tsx'
import { SavedSearches, SaveSearch } from './saved-searches.tsx'

export function SearchPage() {
  const where = route.value.query.get('where') ?? ''
  const typed = useSignal(where)
  const search = useRef<HTMLElement>(null)
  useEffect(() => {
    typed.value = where
    // It was opened to be typed in.
    if (where === '') search.current?.querySelector('input')?.focus()
  }, [where])
  const submit = () => openSearch(typed.value)
  return (
    <>
      <PageHead title={t('nav.search')} />
      <search class="card" data-search ref={search}>
        <form
          class="row"
          onSubmit={event => {
            event.preventDefault()
            submit()
          }}
        >
          <QueryField id="page-search" label={t('keys.search')} typed={typed} onSubmit={submit} />
          <button type="submit" class="primary">
            {t('search.find')}
          </button>
          {where !== '' && <SaveSearch where={queryOfWords(where)} />}
        </form>
        <SavedSearches />
      </search>
      {where === '' ? <p class="hint">{t('search.hint')}</p> : <FoundComputers key={where} where={where} />}
      <ActionBar />
    </>
  )
}

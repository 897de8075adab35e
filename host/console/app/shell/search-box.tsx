// The search of every page: shows computers by name and address, completes queries, and opens the search page.
import { useSignal, useSignalEffect } from '@preact/signals'
import { t } from '../language/translate.ts'
import type { Option } from '../parts/combobox.tsx'
import { ConditionLabel } from '../parts/condition-sign.tsx'
import { QueryField } from '../parts/query-field.tsx'
import { noFilter, queryOf } from '../state/filter.ts'
import { findMac } from '../state/mac-search.ts'
import { goTo, linkTo, route } from '../state/route.ts'
import { openSearch } from '../state/searches.ts'
import { search } from './search-results.ts'

/** Computers that are shown below the field. */
const mostComputers = 6

export function SearchBox() {
  const typed = useSignal('')
  // On the search page its own field has the query.
  useSignalEffect(() => {
    typed.value = ''
    void route.value
  })
  useSignalEffect(() => void findMac(typed.value))
  const found = () => {
    const text = typed.value.trim()
    // What has an operator is a query; `00:1b:21:0a:0e:01` is none.
    if (text === '' || (/[:<>="()]/.test(text) && !/^([0-9a-f]{2}:)+[0-9a-f]{0,2}$/i.test(text))) return []
    return search(text, ({ computer }) => computer !== undefined)
  }
  const submit = () => {
    const text = typed.value.trim()
    const hasUser = ({ computer }: ReturnType<typeof search>[number]) =>
      computer?.live.peek().user?.toLowerCase().includes(text.toLowerCase())
    const [only, other] = found()
    if (only && !other) only.open()
    // Words alone do not find users.
    else openSearch(found().some(hasUser) ? queryOf({ ...noFilter, text }) : text)
  }
  if (route.value.page === 'search') return <span class="search-box" />
  return (
    <search class="search-box">
      <QueryField
        id="header-search"
        label={t('keys.search')}
        typed={typed}
        onSubmit={submit}
        more={() => found().slice(0, mostComputers).map(toOption)}
      />
      <a class="button" href={linkTo('search')}>
        <span aria-hidden="true">⌕</span>
        <span class="hidden-text">{t('nav.search')}</span>
      </a>
    </search>
  )
}

const toOption = ({ name, note, computer, open }: ReturnType<typeof search>[number]): Option => ({
  key: note,
  name: (
    <>
      {name} {computer && <ConditionLabel condition={computer.live.value.condition} />}
    </>
  ),
  note,
  pick() {
    open()
    return undefined
  },
})

/** Where the header has no field, the search page has one. */
export function focusSearch(): void {
  const fields = document.querySelectorAll<HTMLInputElement>('main [data-search] input, .search-box input')
  const field = [...fields].find(each => each.checkVisibility())
  if (field) field.select()
  else goTo('search')
}

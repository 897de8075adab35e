// The search of every page: shows rooms by name, computers by name and address, completes queries, and opens the search page.
import { useSignal, useSignalEffect } from '@preact/signals'
import { t } from '../language/translate.ts'
import type { Option } from '../parts/combobox.tsx'
import { ConditionLabel } from '../parts/condition-sign.tsx'
import { QueryField } from '../parts/query-field.tsx'
import { isWords, onlyWith } from '../state/found-elsewhere.ts'
import { goTo, linkTo, route } from '../state/route.ts'
import { openSearch } from '../state/searches.ts'
import { elsewhere, everywhere, type SearchResult, search } from './search-results.ts'

/** Rooms and computers that are shown below the field. */
const mostFound = 6

export function SearchBox() {
  const typed = useSignal('')
  // On the search page its own field has the query.
  useSignalEffect(() => {
    typed.value = ''
    void route.value
  })
  useSignalEffect(() => elsewhere.find(typed.value))
  const found = () => {
    const text = typed.value.trim()
    return text === '' ? [] : search(text, ({ kind }) => kind === 'room' || kind === 'computer')
  }
  // What completes a query comes first.
  const offered = () => [...found().slice(0, mostFound), ...(isWords(typed.value) ? everywhere(typed.value) : [])]
  const submit = async () => {
    const text = typed.value.trim()
    const results = found()
    const meant = meantBy(text, results)
    if (meant) return meant.open()
    const only = results.length === 0 ? await onlyWith(text) : undefined
    if (typed.peek().trim() !== text) return
    if (only) goTo('computer', only)
    else openSearch(text)
  }
  if (route.value.page === 'search') return <span class="search-box" />
  return (
    <search class="search-box">
      <QueryField
        id="header-search"
        label={t('keys.search')}
        typed={typed}
        onSubmit={submit}
        more={() => offered().map(toOption)}
      />
      <a class="button" href={linkTo('search')}>
        <span aria-hidden="true">⌕</span>
        <span class="hidden-text">{t('nav.search')}</span>
      </a>
    </search>
  )
}

/** The only result, or the only room with this name, or before others with it in their names. */
function meantBy(text: string, [first, second]: SearchResult[]): SearchResult | undefined {
  const isNamed = ({ name }: SearchResult) => name.toLowerCase() === text.toLowerCase()
  if (!first || !second) return first
  if (first.kind !== 'room') return undefined
  return second.kind !== 'room' || (isNamed(first) && !isNamed(second)) ? first : undefined
}

const toOption = ({ kind, name, note, computer, open }: SearchResult): Option => ({
  key: `${kind} ${name} ${note}`,
  name: (
    <>
      {name} {computer && <ConditionLabel condition={computer.live.value.condition} />}
    </>
  ),
  note,
  ...(kind === 'room' && { kind: t('palette.room') }),
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

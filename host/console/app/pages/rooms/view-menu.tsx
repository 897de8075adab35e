// Queries with names as filters of the map: the user's saved searches, and groups.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { GroupsAnswer, SearchAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { filter, found } from '../../state/filter.ts'
import { addressesOf, pathOfAddresses } from '../../state/found-elsewhere.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'
import { linkToSearch } from '../../state/searches.ts'
import { SavedSearches } from '../search/saved-searches.tsx'

const linkToView = (where: string): string => `${linkTo('')}?${new URLSearchParams({ where })}`

/** Pixels that the menu has at least, also at the right edge. */
const width = 300

export function ViewMenu() {
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = useSignal(false)
  const { where } = filter.value
  useEffect(() => menu.current?.hidePopover(), [where])
  const place = ({ newState }: { newState: string }) => {
    isOpen.value = newState === 'open'
    const { left, bottom } = button.current?.getBoundingClientRect() ?? { left: 0, bottom: 0 }
    const start = Math.max(0, Math.min(left, innerWidth - width))
    menu.current?.style.setProperty('inset', `${bottom + 4}px auto auto ${start}px`)
  }
  return (
    <>
      <button type="button" popovertarget="view-menu" ref={button}>
        {t('place.views')} <span aria-hidden="true">▾</span>
      </button>
      <div
        id="view-menu"
        class="menu card"
        popover="auto"
        role="dialog"
        aria-label={t('place.views')}
        ref={menu}
        onBeforeToggle={place}
      >
        {isOpen.value && <Views />}
      </div>
    </>
  )
}

/** Groups are deleted on their page. */
function Views() {
  const list = useResource<GroupsAnswer>('/groups').value.value
  return (
    <>
      <SavedSearches hrefOf={linkToView} />
      {list?.groups.map(({ id, name, computers }) => (
        <a key={id} href={linkToView(`group:"${name}"`)}>
          {name} <span class="hint">{t('rooms.all', { n: computers })}</span>
        </a>
      ))}
      <p class="hint">{t('rooms.viewsHint')}</p>
    </>
  )
}

/** Milliseconds in which events are gathered before the query is asked again. */
const gatherTime = 3000

/** Asks the daemon what the query of the filter finds, and links to the same as a list. */
export function FoundByQuery({ where }: { where: string }) {
  const { value, problem } = useResource<SearchAnswer>(pathOfAddresses(where), () => gatherTime)
  useEffect(() => {
    found.value = value.value && new Set(addressesOf(value.value))
    return () => {
      found.value = undefined
    }
  }, [value.value])
  return (
    <p class={problem.value ? 'problem' : 'hint'} role="status">
      <a href={linkToSearch(where)}>
        <code>{where}</code>
      </a>{' '}
      {problem.value}
    </p>
  )
}

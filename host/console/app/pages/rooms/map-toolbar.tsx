// Above the rooms: the filters, and how many computers they show.
import { signal, useComputed, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { formatNumber, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { ConditionSign, conditionWord, FailureSign } from '../../parts/condition-sign.tsx'
import {
  type ConditionGroup,
  conditionGroups,
  failedGroup,
  filter,
  foundCounts,
  groupOf,
  isFiltered,
  noFilter,
  queryOf,
  setFilter,
  shownComputers,
} from '../../state/filter.ts'
import { computers, conditions, counts, failedCount, pendingClients } from '../../state/lab.ts'
import { linkTo, route } from '../../state/route.ts'
import { select, selectedComputers } from '../../state/selection.ts'
import { typingTime } from '../../state/suggestions.ts'
import { SaveSearch } from '../search/saved-searches.tsx'
import { FoundByQuery, ViewMenu } from './view-menu.tsx'

export function MapToolbar() {
  return (
    <div class="map-toolbar flow">
      <div class="head">
        <h1>{t('plannedRestores.rooms')}</h1>
        <Shown />
        <div class="actions">
          <OpenSelected />
          <Button text={t('rooms.selectShown')} press={() => select(shownComputers.peek(), 'only')} />
        </div>
      </div>
      <search class="filters row">
        <TextFilter />
        <fieldset class="row">
          <legend class="hidden-text">{t('rooms.filterState')}</legend>
          {conditionGroups.map(group => (
            <Chip key={group} group={group} />
          ))}
          <FailedChip />
        </fieldset>
        <ViewMenu />
        {isFiltered.value && (
          <>
            <SaveSearch where={queryOf(filter.value)} />
            <Button text={t('rooms.clearFilter')} class="plain" press={() => setFilter(noFilter)} />
          </>
        )}
      </search>
      {filter.value.where !== '' && <FoundByQuery key={filter.value.where} where={filter.value.where} />}
    </div>
  )
}

function Shown() {
  const all = computers.value.size + pendingClients.value.length
  return (
    <span class="hint" role="status">
      {isFiltered.value ? t('rooms.shown', { shown: shownComputers.value.length, all }) : t('rooms.all', { n: all })}
    </span>
  )
}

/** For fingers, which have no double click and no Enter key. */
function OpenSelected() {
  const [computer, ...others] = selectedComputers()
  if (!computer || others.length > 0) return null
  return (
    <a class="button" href={linkTo('computer', computer.ip)}>
      {t('rooms.open', { name: computer.name })}
    </a>
  )
}

let timer: ReturnType<typeof setTimeout>

function TextFilter() {
  const field = useRef<HTMLInputElement>(null)
  useSignalEffect(() => {
    const typed = route.value.query.get('text') ?? ''
    if (field.current && document.activeElement !== field.current) field.current.value = typed
  })
  const apply = (text: string) => {
    clearTimeout(timer)
    timer = setTimeout(() => setFilter({ text }), typingTime)
  }
  return (
    <input
      ref={field}
      type="search"
      class="text-filter"
      aria-label={t('rooms.filterText')}
      placeholder={t('rooms.filterText')}
      onInput={event => apply(event.currentTarget.value)}
    />
  )
}

/** A chip does not vanish under the mouse when its count falls to 0; waking ends by itself. */
const seen = signal<ReadonlySet<ConditionGroup>>(new Set(['ready', 'busy', 'off']))

function Chip({ group }: { group: ConditionGroup }) {
  const own = conditions.filter(condition => groupOf(condition) === group)
  // Given as a signal, so that a change writes one text.
  const count = useComputed(() =>
    formatNumber(own.reduce((sum, each) => sum + (foundCounts.value.byCondition[each] ?? 0), 0)),
  )
  const isOn = filter.value.groups.includes(group)
  const isThere = useComputed(() => own.some(condition => counts.value.byCondition[condition]))
  useSignalEffect(() => {
    const isSeen = isThere.value && group !== 'waking'
    if (isSeen && !seen.peek().has(group)) seen.value = new Set([...seen.peek(), group])
  })
  if (!isOn && !isThere.value && !seen.value.has(group)) return null
  return (
    <Button class="chip" aria-pressed={isOn} press={() => toggle(group)}>
      <ConditionSign condition={group} /> {conditionWord(group)} <span>{count}</span>
    </Button>
  )
}

/** Also without failures while it is on, so that it can be turned off. */
function FailedChip() {
  const isOn = filter.value.groups.includes(failedGroup)
  if (failedCount.value === 0 && !isOn) return null
  return (
    <Button class="chip" aria-pressed={isOn} press={() => toggle(failedGroup)}>
      <FailureSign /> {t('rooms.failed')} <span>{formatNumber(foundCounts.value.failed)}</span>
    </Button>
  )
}

function toggle(group: string): void {
  const { groups } = filter.peek()
  setFilter({ groups: groups.includes(group) ? groups.filter(each => each !== group) : [...groups, group] })
}

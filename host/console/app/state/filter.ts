// Which computers the room map shows. The address holds the filter, so that a link and the back button keep it.
import { computed } from '@preact/signals'
import { type ComputerView, type Condition, computers, conditions, pendingClients } from './lab.ts'
import { linkTo, route } from './route.ts'
import { selectedComputers } from './selection.ts'

/** Conditions that the page names with one word, with or without a session. */
export type ConditionGroup = Exclude<Condition, 'linux-session' | 'windows-session'>

export function groupOf(condition: Condition): ConditionGroup {
  if (condition === 'linux-session') return 'linux'
  return condition === 'windows-session' ? 'windows' : condition
}

export const conditionGroups: readonly ConditionGroup[] = [...new Set(conditions.map(groupOf))]

/** The computers with failures, in any condition. */
export const failedGroup = 'failed'

export interface Filter {
  /** In lower case. */
  text: string
  /** Of conditions, and `failed`; empty for all. */
  groups: readonly string[]
}

export const filter = computed<Filter>(() => {
  const { page, query } = route.value
  if (page !== '') return { text: '', groups: [] }
  return { text: (query.get('text') ?? '').trim().toLowerCase(), groups: query.get('state')?.split(',') ?? [] }
})

export const isFiltered = computed(() => filter.value.text !== '' || filter.value.groups.length > 0)

/** An effect that calls it runs again when the answer may differ; without a filter it does not follow the computer's state. */
export function isShown({ live, name, ip }: ComputerView): boolean {
  const { text, groups } = filter.value
  if (groups.length > 0) {
    const { condition, failures } = live.value
    if (!groups.includes(groupOf(condition)) && !(groups.includes(failedGroup) && failures.length > 0)) return false
  }
  if (text === '') return true
  return name.toLowerCase().includes(text) || ip.includes(text) || !!live.value.user?.toLowerCase().includes(text)
}

/** Every computer that the filter lets through. */
export const shownComputers = computed(() => [...computers.value.values(), ...pendingClients.value].filter(isShown))

export const hiddenSelected = computed(() => selectedComputers().filter(computer => !isShown(computer)))

/** Replaces the address without an entry in the history. */
export function setFilter({ text, groups }: { text?: string; groups?: readonly string[] }): void {
  const query = new URLSearchParams(route.peek().query)
  query.delete('room')
  if (text !== undefined) setOrDelete(query, 'text', text.trim())
  if (groups !== undefined) setOrDelete(query, 'state', groups.join(','))
  location.replace(query.size === 0 ? linkTo('') : `${linkTo('')}?${query}`)
}

function setOrDelete(query: URLSearchParams, key: string, value: string): void {
  if (value === '') query.delete(key)
  else query.set(key, value)
}

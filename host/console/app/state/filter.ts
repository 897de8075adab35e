// Which computers the room map shows. The address holds the filter, so that a link and the back button keep it.
import { computed, effect, signal } from '@preact/signals'
import { searchElsewhere } from './found-elsewhere.ts'
import { type ComputerView, type Condition, computers, conditions, hasFailed, pendingClients, rooms } from './lab.ts'
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
  /** A query for the daemon; '' for none. */
  where: string
}

/** What the query of the filter finds: addresses; undefined until it is read. */
export const found = signal<ReadonlySet<string> | undefined>(undefined)

export const noFilter: Filter = { text: '', groups: [], where: '' }

export const filter = computed<Filter>(() => {
  const { page, query } = route.value
  if (page !== '') return noFilter
  return {
    text: (query.get('text') ?? '').trim().toLowerCase(),
    groups: query.get('state')?.split(',') ?? [],
    where: query.get('where') ?? '',
  }
})

const elsewhere = searchElsewhere()
effect(() => elsewhere.find(filter.value.text))

export const isFiltered = computed(() => queryOf(filter.value) !== '')

/** The filter as one query, to be saved; '' without a filter. */
export function queryOf({ text, groups, where }: Filter): string {
  const word = text.replaceAll('"', '')
  const conditions = [
    where && `(${where})`,
    word && `("${word}" or room:"*${word}*" or user:"*${word}*")`,
    groups.length > 0 && `(${groups.map(group => wordsOfGroup[group] ?? `state:${group}`).join(' or ')})`,
  ].filter(Boolean)
  // A query that is the whole filter stays as it is written.
  return conditions.length === 1 && where !== '' ? where : conditions.join(' ')
}

/** Of conditions that queries have other words for. */
const wordsOfGroup: Readonly<Record<string, string>> = {
  ready: 'state:oglive',
  linux: 'state:linux or state:linux-session',
  windows: 'state:windows or state:windows-session',
  failed: 'failed:*',
}

const roomsOfText = computed(
  () => new Set(rooms.value.flatMap(({ id, name }) => (name.toLowerCase().includes(filter.value.text) ? id : []))),
)

/** An effect that calls it runs again when the answer may differ; without a filter it does not follow the computer's state. */
export function isShown({ live, name, ip, room }: ComputerView): boolean {
  const { text, groups, where } = filter.value
  if (where !== '' && !found.value?.has(ip)) return false
  if (groups.length > 0) {
    const isFailed = groups.includes(failedGroup) && hasFailed(live.value)
    if (!groups.includes(groupOf(live.value.condition)) && !isFailed) return false
  }
  if (text === '') return true
  const isNamed =
    name.toLowerCase().includes(text) || ip.includes(text) || roomsOfText.value.has(room) || elsewhere.has(ip, text)
  return isNamed || !!live.value.user?.toLowerCase().includes(text)
}

/** Every computer that the filter lets through. */
export const shownComputers = computed(() => [...computers.value.values(), ...pendingClients.value].filter(isShown))

export const hiddenSelected = computed(() => selectedComputers().filter(computer => !isShown(computer)))

/** Replaces the address without an entry in the history. */
export function setFilter({ text, groups, where }: Partial<Filter>): void {
  const query = new URLSearchParams(route.peek().query)
  query.delete('room')
  if (text !== undefined) setOrDelete(query, 'text', text.trim())
  if (groups !== undefined) setOrDelete(query, 'state', groups.join(','))
  if (where !== undefined) setOrDelete(query, 'where', where)
  location.replace(query.size === 0 ? linkTo('') : `${linkTo('')}?${query}`)
}

function setOrDelete(query: URLSearchParams, key: string, value: string): void {
  if (value === '') query.delete(key)
  else query.set(key, value)
}

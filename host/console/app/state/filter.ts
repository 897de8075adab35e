// Which computers the room map shows. The address holds the filter, so that a link and the back button keep it.
import { computed, effect, signal } from '@preact/signals'
import { isWords, queryOfWords, searchElsewhere } from './found-elsewhere.ts'
import {
  type ComputerView,
  type Condition,
  computers,
  conditions,
  counts,
  hasFailed,
  pendingClients,
  rooms,
} from './lab.ts'
import { countOf } from './pending-changes.ts'
import { linkTo, route } from './route.ts'

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
  /** Words, in lower case. */
  text: string
  /** Of conditions, and `failed`; empty for all. */
  groups: readonly string[]
  /** A query for the daemon; '' for none. */
  where: string
}

/** What the query of the filter finds: addresses; undefined until it is read. */
export const found = signal<ReadonlySet<string> | undefined>(undefined)

/** What the list of the search page shows: addresses. */
export const listed = signal<ReadonlySet<string>>(new Set())

export const noFilter: Filter = { text: '', groups: [], where: '' }

export const filter = computed<Filter>(() => {
  const { page, query } = route.value
  if (page !== '') return noFilter
  const typed = (query.get('text') ?? '').trim()
  const where = [query.get('where'), !isWords(typed) && typed].filter(Boolean)
  return {
    text: isWords(typed) ? typed.toLowerCase() : '',
    groups: query.get('state')?.split(',') ?? [],
    where: where.length > 1 ? `(${where.join(') (')})` : where.join(''),
  }
})

const elsewhere = searchElsewhere()
effect(() => elsewhere.find(filter.value.text))

export const isFiltered = computed(() => queryOf(filter.value) !== '')

/** The filter as one query, to be saved; '' without a filter. */
export function queryOf({ text, groups, where }: Filter): string {
  const conditions = [
    where && `(${where})`,
    text && `(${queryOfWords(text)})`,
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

const hasText = (name = '') => name.toLowerCase().includes(filter.value.text)

const roomsOfText = computed(
  () => new Set(rooms.value.flatMap(({ id, name, centerName }) => (hasText(name) || hasText(centerName) ? id : []))),
)

/** In any state. What the daemon finds for the text is read later: what the page knows is shown at once. */
function isFound({ live, name, ip, room }: ComputerView): boolean {
  const { text, where } = filter.value
  if (where !== '' && !found.value?.has(ip)) return false
  if (text === '' || hasText(name) || hasText(ip) || roomsOfText.value.has(room)) return true
  return elsewhere.has(ip, text) || hasText(live.value.user)
}

function isInGroups({ live }: ComputerView): boolean {
  const { groups } = filter.value
  if (groups.length === 0 || groups.includes(groupOf(live.value.condition))) return true
  return groups.includes(failedGroup) && hasFailed(live.value)
}

/** An effect that calls it runs again when the answer may differ; without a filter it does not follow the computer's state. */
export const isShown = (computer: ComputerView): boolean =>
  route.value.page === 'search' ? listed.value.has(computer.ip) : isFound(computer) && isInGroups(computer)

const allComputers = () => [...computers.value.values(), ...pendingClients.value]

/** Every computer that the filter lets through. */
export const shownComputers = computed(() => allComputers().filter(isShown))

/** Of each state: what it would show with the text and the query of the filter. */
export const foundCounts = computed(() => {
  const { text, where } = filter.value
  return text + where === '' ? counts.value : countOf(allComputers().filter(isFound))
})

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

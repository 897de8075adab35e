// Queries that the user has saved in this browser, the way to the search page, and what matches a shown search meanwhile.
import { signal } from '@preact/signals'
import { keptList } from './kept-list.ts'
import { computers, rooms } from './lab.ts'
import { linkTo } from './route.ts'

export interface SavedSearch {
  name: string
  where: string
}

/** `href` of the page with what a query finds; `words`: those that it stands for. */
export const linkToSearch = (where: string, words?: string): string =>
  `${linkTo('search')}?${new URLSearchParams({ where, ...(words && { words }) })}`

export function openSearch(where: string): void {
  location.hash = linkToSearch(where.trim())
}

/**
 * A query finds words alone in names and addresses of computers. Undefined unless computers are in rooms or centers that
 * have them in their names, or somebody of that name is logged in.
 */
export function queryOfWords(words: string): string | undefined {
  const text = words.replaceAll('"', '').trim()
  const has = (name = '') => text !== '' && name.toLowerCase().includes(text.toLowerCase())
  const all = [...computers.value.values()]
  const inUse = rooms.value.filter(room => room.computers.length > 0)
  const isIn = {
    room: inUse.some(({ name }) => has(name)),
    center: inUse.some(({ centerName }) => has(centerName)),
    user: all.some(({ live }) => has(live.peek().user)),
  }
  const others = Object.entries(isIn).flatMap(([field, isFound]) => (isFound ? `${field}:"*${text}*"` : []))
  if (others.length === 0) return undefined
  const isNamed = all.some(({ name, ip }) => has(name) || has(ip))
  return [...(isNamed ? [`"${text}"`] : []), ...others].join(' or ')
}

/** How many computers match the search of the page that its list does not show. */
export const newMatches = signal(0)

const isSearch = (value: unknown): value is SavedSearch =>
  value instanceof Object &&
  'name' in value &&
  typeof value.name === 'string' &&
  'where' in value &&
  typeof value.where === 'string'

const saved = keptList('fleet-searches', isSearch)

/** By name. */
export const savedSearches = saved.list

/** Replaces one of the same name. */
export function saveSearch(search: SavedSearch): void {
  const others = savedSearches.peek().filter(({ name }) => name !== search.name)
  saved.keep([...others, search].toSorted((a, b) => a.name.localeCompare(b.name)))
}

export function forgetSearch(name: string): void {
  saved.keep(savedSearches.peek().filter(each => each.name !== name))
}

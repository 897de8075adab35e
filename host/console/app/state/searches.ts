// Queries that the user has saved in this browser, the way to the search page, and what matches a shown search meanwhile.
import { signal } from '@preact/signals'
import { keptList } from './kept-list.ts'
import { linkTo } from './route.ts'

export interface SavedSearch {
  name: string
  where: string
}

/** `href` of the page with what a query or words find. */
export const linkToSearch = (where: string): string => `${linkTo('search')}?${new URLSearchParams({ where })}`

export function openSearch(where: string): void {
  location.hash = linkToSearch(where.trim())
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

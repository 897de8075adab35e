// Queries that the user has saved in this browser, and the way to the search page.
import { computed, signal } from '@preact/signals'
import { linkTo } from './route.ts'
import { me } from './session.ts'

export interface SavedSearch {
  name: string
  where: string
}

/** `href` of the page with what a query finds. */
export const linkToSearch = (where: string): string => `${linkTo('search')}?${new URLSearchParams({ where })}`

export function openSearch(where: string): void {
  location.hash = linkToSearch(where.trim())
}

const keyOf = (name: string | undefined) => `fleet-searches:${name}`

/** Counts the changes in this page. */
const changes = signal(0)

/** Of the user who is logged in, by name. */
export const savedSearches = computed<readonly SavedSearch[]>(() => {
  void changes.value
  return read(localStorage.getItem(keyOf(me.value?.name)))
})

function read(text: string | null): SavedSearch[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list)
      ? list.filter(each => typeof each?.name === 'string' && typeof each.where === 'string')
      : []
  } catch {
    return []
  }
}

/** Replaces one of the same name. */
export function saveSearch(search: SavedSearch): void {
  write([...savedSearches.peek().filter(({ name }) => name !== search.name), search])
}

export function forgetSearch(name: string): void {
  write(savedSearches.peek().filter(each => each.name !== name))
}

function write(searches: SavedSearch[]): void {
  searches.sort((a, b) => a.name.localeCompare(b.name))
  localStorage.setItem(keyOf(me.peek()?.name), JSON.stringify(searches))
  changes.value += 1
}

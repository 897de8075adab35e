// The page's address: what follows `#` names the page, so that links, the back button and a reload work.
import { computed, signal } from '@preact/signals'
import { takeReturn } from './provider-return.ts'

/** Where a provider has sent the browser to log in. */
export const redirected = takeReturn()

const hash = signal(location.hash)
let loadPage: (page: string) => Promise<void> | undefined = () => undefined

/** `load` loads what a page needs: until then the page before it stays. */
export function setPageLoader(load: typeof loadPage): void {
  loadPage = load
}

addEventListener('hashchange', async () => {
  const next = location.hash
  const loading = loadPage(toRoute(next).page)
  if (loading) await loading
  if (location.hash === next) hash.value = next
})

export interface Route {
  /** '' for the first page. */
  page: string
  /** The parts that follow, decoded: `#/job/7` has `['7']`. */
  rest: readonly string[]
  query: URLSearchParams
}

export const route = computed(() => toRoute(hash.value))

function toRoute(text: string): Route {
  const [path = '', query = ''] = text.replace(/^#\/?/, '').split('?')
  const [page = '', ...rest] = path.split('/').map(decodePart)
  // Its sections have become pages.
  if (page === 'settings') return { page: rest[0] ?? 'account', rest: [], query: new URLSearchParams(query) }
  return { page: page === 'tonight' ? 'planned-restores' : page, rest, query: new URLSearchParams(query) }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** `href` of a link to a page: `linkTo('job', 7)`. */
export const linkTo = (page: string, ...rest: (string | number)[]): string =>
  `#/${[page, ...rest.map(part => encodeURIComponent(part))].join('/')}`

/** Changes the query of the page's address: '' removes a key. It is no new page for the back button. */
export const changeQuery = (changes: Readonly<Record<string, string>>): void =>
  writeQuery(changes, next => history.replaceState(history.state, '', next))

/** What the drawer shows, '' for nothing. What opens it is a step for the back button, which closes it. */
export function changeDrawer(shown: Readonly<Record<'job' | 'peek', string>>): void {
  const { query } = route.peek()
  if (query.has('job') || query.has('peek')) changeQuery(shown)
  else writeQuery(shown, next => history.pushState(history.state, '', next))
}

function writeQuery(changes: Readonly<Record<string, string>>, write: (next: string) => void): void {
  const [path = ''] = hash.peek().split('?')
  const query = new URLSearchParams(route.peek().query)
  for (const [key, value] of Object.entries(changes)) value === '' ? query.delete(key) : query.set(key, value)
  const next = `${path || '#/'}${query.size > 0 ? `?${query}` : ''}`
  // Another page is being loaded: the address is that one's.
  if (location.hash !== hash.peek()) return
  if (next === (hash.peek() || '#/')) return
  write(next)
  hash.value = location.hash
}

/** The token in the address of a wall display, which nobody logs in again. */
export function wallToken(): string {
  const { page, query } = route.peek()
  return (page === 'wall' && query.get('token')) || ''
}

/** The secret of a link that logs in: it leaves the address of the page and the browser's history. */
export function takeLoginLink(): string | undefined {
  const [, secret] = /^#login=([\w-]+)$/.exec(hash.value) ?? []
  if (secret === undefined) return undefined
  history.replaceState(null, '', location.pathname)
  hash.value = ''
  return secret
}

export function goTo(page: string, ...rest: (string | number)[]): void {
  location.hash = linkTo(page, ...rest)
}

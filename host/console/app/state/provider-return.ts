// The way to the provider that logs people in, and back: which page was open is kept meanwhile.

const key = 'fleet-page'

/** The address of the console, as it is registered at the provider. */
export const ownAddress = (): string => location.origin + location.pathname

export function leaveFor(url: string): void {
  sessionStorage.setItem(key, location.hash)
  location.assign(url)
}

/** Whether the provider has sent the browser here. */
export const hasLogin = (query: string): boolean => /[?&]state=/.test(query)

/** The address to which the provider has sent the browser: it leaves the browser's history. */
export function takeReturn(): string | undefined {
  const { search, pathname } = location
  if (!hasLogin(search)) return undefined
  const page = sessionStorage.getItem(key) ?? ''
  sessionStorage.removeItem(key)
  const redirected = ownAddress() + search
  history.replaceState(null, '', pathname + page)
  return redirected
}

// Reloads of the page, also those that it makes by itself when the daemon has other scripts: what was selected is kept.
const key = 'fleet-reload'

const kept = take()

/** Whether this page was loaded by the page before it, and not by the user. */
export const wasReloaded = kept?.isOwn ?? false

const readers = new Map<string, () => unknown>()

/** What `read` returned before the page was loaded again; undefined after any other start. */
export function keepOverReload<Value>(name: string, read: () => Value): Value | undefined {
  readers.set(name, read)
  // `as`: `read` is what has written it.
  return kept?.values[name] as Value | undefined
}

/** To be called before another user gets the page. */
export const keepNothing = (): void => readers.clear()

let isReloading = false

/** Once, however many scripts are missing. */
export function reloadPage(): void {
  if (isReloading) return
  isReloading = true
  location.reload()
}

addEventListener('pagehide', () => {
  const values = Object.fromEntries([...readers].map(([name, read]) => [name, read()]))
  sessionStorage.setItem(key, JSON.stringify({ isOwn: isReloading, values } satisfies Kept))
})

/** The browser asks whether what is typed in a dialog shall be lost. */
export const askBeforeUnload = (): void => addEventListener('beforeunload', keepPage)
export const doNotAskBeforeUnload = (): void => removeEventListener('beforeunload', keepPage)

const keepPage = (event: Event): void => {
  if (!isReloading) event.preventDefault()
}

interface Kept {
  isOwn: boolean
  values: Readonly<Record<string, unknown>>
}

/** Of the page that was loaded again; who opens it anew begins with an empty one. */
function take(): Kept | undefined {
  const text = sessionStorage.getItem(key)
  const [entry] = performance.getEntriesByType('navigation')
  const isReload = entry instanceof PerformanceNavigationTiming && entry.type === 'reload'
  return text === null || !isReload ? undefined : JSON.parse(text)
}

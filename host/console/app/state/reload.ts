// A reload that the page makes by itself, when the daemon has other scripts: what was typed and selected is kept.
const key = 'fleet-reload'

const kept = take()

/** Whether this page was loaded by the page before it. */
export const wasReloaded = kept !== undefined

const readers = new Map<string, () => unknown>()

/** What `read` returned before the page was loaded again by itself; undefined after any other start. */
export function keepOverReload<Value>(name: string, read: () => Value): Value | undefined {
  readers.set(name, read)
  // `as`: `read` is what has written it.
  return kept?.[name] as Value | undefined
}

let isReloading = false

/** Once, however many scripts are missing. */
export function reloadPage(): void {
  if (isReloading) return
  isReloading = true
  const values = Object.fromEntries([...readers].map(([name, read]) => [name, read()]))
  sessionStorage.setItem(key, JSON.stringify(values))
  location.reload()
}

/** The browser asks whether what is typed in a dialog shall be lost. */
export const askBeforeUnload = (): void => addEventListener('beforeunload', keepPage)
export const doNotAskBeforeUnload = (): void => removeEventListener('beforeunload', keepPage)

const keepPage = (event: Event): void => {
  if (!isReloading) event.preventDefault()
}

/** Read once: a reload by the user begins with an empty page. */
function take(): Readonly<Record<string, unknown>> | undefined {
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return text === null ? undefined : JSON.parse(text)
}

// Checks the options' section `store`, whose keys beyond adapter and path are the adapter's own.
import type { StoreOptions } from './store.ts'

/** Throws the line for the administrator when the section has keys that the adapter does not know. */
export function refuseUnknownKeys(options: StoreOptions, own: readonly string[]): void {
  const known = ['adapter', 'path', 'readonly', ...own]
  const unknown = Object.keys(options).find(key => !known.includes(key))
  if (unknown === undefined) return
  const keys = ['adapter', 'path', ...own].join(', ')
  throw new Error(`store: expected a key of ${keys}, got ${unknown}`)
}

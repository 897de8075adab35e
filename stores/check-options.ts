// The options' section `store`, whose keys other than adapter and path are the adapter's own, and the limits.
import type { StoreLimits, StoreOptions } from './store.ts'

/** Without the option `limits.outputs_bytes`. */
export const defaultLimits: StoreLimits = { outputs_bytes: 1 << 30 }

/** Throws an error of one line when the section has keys that the adapter does not know. */
export function refuseUnknownKeys(options: StoreOptions, ownKeys: readonly string[]): void {
  const keys = ['adapter', 'path', 'readonly', 'member', ...ownKeys]
  const unknown = Object.keys(options).find(key => !keys.includes(key))
  if (unknown === undefined) return
  const expected = ['adapter', 'path', ...ownKeys].join(', ')
  throw new Error(`store: expected ${expected}, got unknown key ${JSON.stringify(unknown)}`)
}

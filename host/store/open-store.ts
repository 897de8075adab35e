// Finds the file of a store's adapter and loads it.
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { ClusterAdapter, Description, Maintenance, OpenStore, StoreOptions } from '../../stores/store.ts'
import { type Options, OptionsError } from '../config/options.ts'
import { missingPackages } from '../system/version.ts'

export type Adapter = { default: OpenStore } & Partial<Maintenance> & Partial<Description> & Partial<ClusterAdapter>

/**
 * Loads a file or folder of stores/, or a site's own file by its absolute path. Throws an OptionsError when there is
 * no such file or its default export is not a function.
 */
export async function loadAdapter({ adapter }: Pick<StoreOptions, 'adapter'>): Promise<Adapter> {
  const path = fileURLToPath(new URL(adapter, new URL('../../stores/', import.meta.url)))
  const file = [path, `${path}.ts`, `${path}/index.ts`].find(file => file.endsWith('.ts') && existsSync(file))
  const module: unknown = file === undefined ? undefined : await importAdapter(file, adapter)
  if (isAdapter(module)) return module
  throw new OptionsError(`store.adapter: expected lowdb, memory or the path of an adapter, got ${adapter}`)
}

async function importAdapter(file: string, adapter: string): Promise<unknown> {
  try {
    return await import(file)
  } catch (error) {
    const missing = missingPackages(error)
    throw missing === undefined ? error : new OptionsError(`store.adapter ${adapter}: ${missing}`)
  }
}

/** The name of this host in the fleet. */
export const hostName = ({ cluster }: Pick<Options, 'cluster'>): string => cluster?.name ?? hostname()

/** The section that a daemon opens its store with: nobody may write `member` into it. */
export function storeOf(options: Pick<Options, 'store' | 'cluster'>): StoreOptions {
  const { member: _unused, ...store } = options.store
  return options.cluster ? { ...store, member: hostName(options) } : store
}

/** The adapter and the place of its data, for messages: never with a password. */
export async function describeStore(options: StoreOptions): Promise<string> {
  const { describe } = await loadAdapter(options)
  return `${options.adapter} ${describe ? describe(options) : `in ${options.path}`}`
}

// The types of the function's parameters and of `check` and `repair` cannot be checked at run time.
function isAdapter(module: unknown): module is Adapter {
  return typeof module === 'object' && module !== null && 'default' in module && typeof module.default === 'function'
}

// Finds the file of a store's adapter and loads it.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Maintenance, OpenStore, StoreOptions } from '../../stores/store.ts'
import { OptionsError } from './options.ts'

export type Adapter = { default: OpenStore } & Partial<Maintenance>

/** A file or folder in stores/, or a site's own by absolute path. */
export async function loadAdapter({ adapter }: Pick<StoreOptions, 'adapter'>): Promise<Adapter> {
  const path = fileURLToPath(new URL(adapter, new URL('../../stores/', import.meta.url)))
  const file = [path, `${path}.ts`, `${path}/index.ts`].find(file => file.endsWith('.ts') && existsSync(file))
  if (!file) throw new OptionsError(`store.adapter: expected lowdb, memory or the path of an adapter, got ${adapter}`)
  return import(file)
}

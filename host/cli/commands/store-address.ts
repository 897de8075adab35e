// How a store is named on the command line: as `adapter:place`, or as the JSON of its section of the options file.
import { resolve } from 'node:path'
import type { StoreOptions } from '../../../stores/store.ts'
import { usageError } from '../cli-error.ts'

const forms = `lowdb:./folder, postgres://user@host/database or {"adapter": "lowdb", "path": "./folder"}`

/** `option` is for messages. Paths are relative to the working directory. */
export function parseStoreAddress(option: string, text: string): StoreOptions {
  const [, adapter = '', place = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? []
  if (text.startsWith('{')) return parseOptions(option, text)
  if (adapter === 'lowdb' && place !== '') return { adapter, path: resolve(place) }
  // A URL says by itself that it is one of PostgreSQL.
  const url = adapter === 'postgres' && !place.startsWith('//') ? place : text
  if (/^postgres(ql)?:\/\//.test(url)) return { adapter: 'postgres', url, path: resolve('data') }
  throw usageError(`${option}: expected ${forms}, got ${text}`)
}

/** As the section `store` of the options file. */
function parseOptions(option: string, text: string): StoreOptions {
  try {
    const { path = 'data', ...options }: Partial<StoreOptions> = JSON.parse(text)
    return { adapter: 'lowdb', ...options, path: resolve(path) }
  } catch {
    throw usageError(`${option}: expected ${forms}, got ${text}`)
  }
}

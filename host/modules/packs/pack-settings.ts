// The settings of each pack that are in force: those that are stored, its secrets, and the defaults of its schema.
import type { LoadedPack } from '../../contract/loaded-module.ts'
import type { Log } from '../../log/log.ts'
import { freeze } from '../../system/frozen.ts'
import type { PackRecord, PackRecords } from './pack-records.ts'
import type { PackSecrets } from './pack-secrets.ts'
import { matchingValues, nameOf, secretPaths, setAt, type Values, withDefaults } from './setting-values.ts'

export interface PackSettings {
  /** Frozen. */
  settings: Readonly<Values>
  /** Why not all stored settings are in force. */
  problem?: string
}

interface SettingsDeps {
  records: PackRecords
  secrets: PackSecrets
  log: Log
}

const noRecord: PackRecord = {}

/** Until secrets that could not be decrypted are tried again: somebody may have copied the key. */
const retryMilliseconds = 5000

/** Returns the function that finds the settings of a pack; the same object until the pack or its record changes. */
export function createSettings({ records, secrets, log }: SettingsDeps): (loaded: LoadedPack) => PackSettings {
  const cache = new WeakMap<LoadedPack, { record: PackRecord; state: PackSettings; readAt: number }>()

  function read(loaded: LoadedPack, record: PackRecord): PackSettings {
    const { settings: schema } = loaded.declared
    const stored = structuredClone(record.settings ?? {})
    const paths = secretPaths(schema)
    const values = secrets.read(loaded.name, record, paths)
    for (const path of paths) setAt(stored, path, values.get(nameOf(path)))
    const all = withDefaults(schema, stored)
    const problem = loaded.checkSettings?.(all)
    if (!schema || problem === undefined) return { settings: freeze(all) }
    return { settings: freeze(withDefaults(schema, matchingValues(schema, stored))), problem }
  }

  return loaded => {
    const record = records.get(loaded.name) ?? noRecord
    const cached = cache.get(loaded)
    const now = performance.now()
    const isReadAgain = secrets.hasProblem(loaded.name) && now - (cached?.readAt ?? now) >= retryMilliseconds
    if (cached?.record === record && !isReadAgain) return cached.state
    const state = read(loaded, record)
    cache.set(loaded, { record, state, readAt: now })
    const { problem } = state
    if (isReadAgain) return state
    // Before anybody has decided about a pack it may well lack settings.
    if (problem !== undefined && record !== noRecord)
      log.warn('packs', `${loaded.name}: not all stored settings are in force: ${problem}`)
    return state
  }
}

// What packs are to the rest of the host: their settings and collections, whether they are enabled, and their rights.
import type { Documents } from '../../../stores/store.ts'
import { unlimited } from '../../access/account-scopes.ts'
import type { LoadedModule, LoadedPack } from '../../contract/loaded-module.ts'
import type { Collection } from '../../contract/pack.ts'
import type { Rights } from '../../contract/services.ts'
import type { Log } from '../../log/log.ts'
import type { Health } from '../../system/health.ts'
import { createCollections } from './collections.ts'
import { type PackRecord, PackRecords } from './pack-records.ts'
import { PackSecrets } from './pack-secrets.ts'
import { createSettings, type PackSettings } from './pack-settings.ts'
import { Secrets } from './secrets.ts'

/** See the registry. */
export interface LoadedModules {
  /** In service. */
  readonly modules: readonly LoadedModule[]
  /** With those that are not enabled. */
  readonly allPacks: readonly LoadedPack[]
}

export interface PacksDeps {
  documents: Documents
  registry: LoadedModules
  options: { store: { path: string } }
  limits: { collection_bytes: number }
  log: Log
  health: Pick<Health, 'addNotes'>
}

/** What the contexts of a pack's functions have. */
export interface ContextOfPack {
  /** Frozen; another object after each change. */
  readonly settings: PackSettings['settings']
  readonly collections: Readonly<Record<string, Collection>>
}

export type Packs = ReturnType<typeof createPacks>

/** References of packs as `Rights.reference` has them. */
const prefix = 'pack:'

const noContext: ContextOfPack = Object.freeze({ settings: Object.freeze({}), collections: Object.freeze({}) })

export function createPacks({ documents, registry, options, limits, log, health }: PacksDeps) {
  const listeners = new Set<() => void>()
  const records = new PackRecords(documents, () => {
    for (const listener of listeners) listener()
  })
  const secrets = new PackSecrets(new Secrets(options.store.path), log)
  health.addNotes(() => secrets.notes())
  const settingsOf = createSettings({ records, secrets, log })
  const contexts = new WeakMap<PackSettings, ContextOfPack>()

  function contextOfLoaded(loaded: LoadedPack): ContextOfPack {
    const state = settingsOf(loaded)
    const cached = contexts.get(state)
    if (cached) return cached
    const collections = createCollections(loaded, { documents, limits })
    const context = Object.freeze({ settings: state.settings, collections })
    contexts.set(state, context)
    return context
  }

  let index: { of: readonly LoadedPack[]; byName: ReadonlyMap<string, LoadedPack> } = { of: [], byName: new Map() }
  const find = (pack: string): LoadedPack | undefined => {
    const { allPacks } = registry
    if (index.of !== allPacks) index = { of: allPacks, byName: new Map(allPacks.map(loaded => [loaded.name, loaded])) }
    return index.byName.get(pack)
  }
  const isInService = (pack: string) =>
    registry.modules.some(module => module.pack === pack && (module.kind === 'pack' || module.origin !== 'built-in'))

  function rightsOf(pack: string): Rights | undefined {
    if (!isInService(pack)) return undefined
    return { name: `pack ${pack}`, reference: `${prefix}${pack}`, role: roleOf(records.get(pack)), ...unlimited }
  }

  return {
    records,
    secrets,
    settingsOf,
    find,
    loaded: () => registry.allPacks,

    /** By the name of a pack; empty for a file outside of packs without settings and collections. */
    contextOf(pack: string): ContextOfPack {
      const loaded = find(pack)
      return loaded ? contextOfLoaded(loaded) : noContext
    },

    /** Built-in packs are off until somebody enables them, a site's are on until somebody disables them. */
    isEnabled: (pack: string, origin: string): boolean => records.get(pack)?.enabled ?? origin !== 'built-in',

    /** Undefined for a pack that is not in service, and for built-in files outside of packs. */
    rightsOf,

    /** As `rightsOf`, for a reference of rights; undefined also for one that is not a pack's. */
    resolve(reference: string): Rights | undefined {
      return reference.startsWith(prefix) ? rightsOf(reference.slice(prefix.length)) : undefined
    },

    /** Reads the store: at the start, and when another host may have changed it. */
    reload: () => records.reload(),

    /** Calls the listener when settings, roles or what is enabled have changed, here or on another host. */
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const roleOf = (record: PackRecord | undefined) => record?.role ?? 'operate'

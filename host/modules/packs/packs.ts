// What packs are to the rest of the host: their settings and collections, whether they are enabled, and their rights.
import type { Documents } from '../../../stores/store.ts'
import { unlimited } from '../../access/account-scopes.ts'
import type { LoadedModule, LoadedPack } from '../../contract/loaded-module.ts'
import type { PackContext } from '../../contract/pack.ts'
import type { Rights } from '../../contract/services.ts'
import type { Log } from '../../log/log.ts'
import type { Health } from '../../system/health.ts'
import { createCollections } from './collections.ts'
import { NewSecrets } from './new-secrets.ts'
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
  onChange(listener: () => void): () => void
}

export interface PacksDeps {
  documents: Documents
  registry: LoadedModules
  options: { store: { path: string } }
  limits: { collection_bytes: number }
  log: Log
  health: Pick<Health, 'addNotes'>
}

/** References of packs as `Rights.reference` has them. */
const prefix = 'pack:'

const noContext: PackContext = Object.freeze({ settings: Object.freeze({}), collections: Object.freeze({}) })

export class Packs {
  readonly records: PackRecords
  readonly secrets: PackSecrets
  /** The settings that are in force, see `createSettings`. */
  readonly settingsOf: (loaded: LoadedPack) => PackSettings
  readonly #deps: PacksDeps
  readonly #listeners = new Set<() => void>()
  readonly #contexts = new WeakMap<PackSettings, PackContext>()
  #byName: { of: readonly LoadedPack[]; packs: ReadonlyMap<string, LoadedPack> } = { of: [], packs: new Map() }

  constructor(deps: PacksDeps) {
    const { documents, options, log, health } = deps
    this.#deps = deps
    this.records = new PackRecords(documents, () => {
      for (const listener of this.#listeners) listener()
    })
    this.secrets = new PackSecrets(new Secrets(options.store.path), log)
    this.settingsOf = createSettings({ records: this.records, secrets: this.secrets, log })
    health.addNotes(() => this.secrets.notes())
    const newSecrets = new NewSecrets(this, log)
    this.onChange(() => newSecrets.encrypt())
    deps.registry.onChange(() => newSecrets.encrypt())
  }

  /** Enabled or not. */
  loaded(): readonly LoadedPack[] {
    return this.#deps.registry.allPacks
  }

  find(pack: string): LoadedPack | undefined {
    const of = this.loaded()
    if (this.#byName.of !== of) this.#byName = { of, packs: new Map(of.map(loaded => [loaded.name, loaded])) }
    return this.#byName.packs.get(pack)
  }

  /** By the name of a pack; empty for a file outside of packs without settings and collections. */
  contextOf(pack: string): PackContext {
    const loaded = this.find(pack)
    if (!loaded) return noContext
    const state = this.settingsOf(loaded)
    const cached = this.#contexts.get(state)
    if (cached) return cached
    const context = Object.freeze({
      settings: state.settings,
      collections: createCollections(loaded, { ...this.#deps, secrets: this.secrets }),
    })
    this.#contexts.set(state, context)
    return context
  }

  /** Built-in packs are off until somebody enables them, a site's are on until somebody disables them. */
  isEnabled(pack: string, origin: string): boolean {
    return this.records.get(pack)?.enabled ?? origin !== 'built-in'
  }

  /** Undefined for a pack that is not in service, and for built-in files outside of packs. */
  rightsOf(pack: string): Rights | undefined {
    const isActing = this.#deps.registry.modules.some(module => module.pack === pack && this.#mayAct(module))
    if (!isActing) return undefined
    return { name: `pack ${pack}`, reference: `${prefix}${pack}`, role: roleOf(this.records.get(pack)), ...unlimited }
  }

  /** As `rightsOf`, for a reference of rights; undefined also for one that is not a pack's. */
  resolve(reference: string): Rights | undefined {
    return reference.startsWith(prefix) ? this.rightsOf(reference.slice(prefix.length)) : undefined
  }

  /** Reads the store: at the start, and when another host may have changed it. */
  reload(): Promise<void> {
    return this.records.reload()
  }

  /** Calls the listener when settings, roles or what is enabled have changed, here or on another host. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Calls the listener when packs may have other rights than before. */
  onRightsChange(listener: () => void): () => void {
    const { registry } = this.#deps
    const actingPacks = () => {
      const names = registry.modules.filter(module => this.#mayAct(module)).map(({ pack }) => pack)
      return [...new Set(names)].sort().join()
    }
    let acting = actingPacks()
    const endChanges = this.onChange(listener)
    const endSwaps = registry.onChange(() => {
      const before = acting
      acting = actingPacks()
      if (acting !== before) listener()
    })
    return () => {
      endChanges()
      endSwaps()
    }
  }

  #mayAct({ kind, pack, origin }: LoadedModule): boolean {
    return (kind === 'pack' || origin !== 'built-in') && this.isEnabled(pack, origin)
  }
}

export const roleOf = (record: PackRecord | undefined) => record?.role ?? 'operate'

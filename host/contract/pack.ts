// What the files of one folder share: settings, collections, a version. Types only.
import type { FromSchema, WithDefaults } from './from-schema.ts'
import type { Awaitable, Refusal, Services } from './services.ts'

/** The default export of `pack.ts` in a folder of modules. */
export interface Pack<S = unknown, C = unknown> {
  /** The contract that it was written for. A daemon that does not know it refuses the pack. */
  contract: 3
  /** One line for people. */
  summary: string
  /** `1.2.0`. */
  version: string
  /** JSON Schema of an object. Values of properties with `writeOnly: true` are secrets: they are never read back. */
  settings?: S
  /** JSON Schema of the documents of each collection, by its name. */
  collections?: C
  /** Why these settings are refused: asked before they are stored, with the secrets. */
  check?(context: { settings: WithDefaults<S>; services: Services }): Awaitable<Refusal | undefined | void>
}

/** What the settings of a pack are to its files: those that are stored, and the defaults of the schema. */
export type SettingsOf<P> = P extends { settings: infer S }
  ? Readonly<WithDefaults<S>>
  : Readonly<Record<string, unknown>>

/** The collections of a pack, by their names. */
export type CollectionsOf<P> = P extends { collections: infer C }
  ? { readonly [Name in keyof C]: Collection<FromSchema<C[Name]>> }
  : Readonly<Record<string, Collection>>

/** What files of a pack find in the contexts of their functions. */
export interface PackContext<P = undefined> {
  settings: SettingsOf<P>
  collections: CollectionsOf<P>
}

/** Documents of one kind, which all hosts see. What has resolved is on disk. */
export interface Collection<Value = unknown> {
  get(key: string): Promise<StoredDocument<Value> | undefined>
  /**
   * Resolves to the new version. Throws when the value does not match the schema, is longer than 64 kB as JSON, or when
   * the pack has too much (`limits.collection_bytes`). With `version` undefined unless the stored one has it; 0: there
   * must be none.
   */
  put(key: string, value: Value, condition?: { version?: number }): Promise<number | undefined>
  /** False when there was none, or one of another version. */
  delete(key: string, condition?: { version?: number }): Promise<boolean>
  /** In the order of the keys. `after`: the last key of the page before. `limit`: at most 1,000, default 100. */
  list(page?: { prefix?: string; after?: string; limit?: number }): Promise<StoredDocument<Value>[]>
  /** All of them, read page by page: what is put or deleted meanwhile may be missing. */
  all(prefix?: string): AsyncIterable<StoredDocument<Value>>
}

export interface StoredDocument<Value = unknown> {
  key: string
  value: Value
  /** Grows with each `put`. */
  version: number
}

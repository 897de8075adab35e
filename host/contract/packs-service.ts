// What commands ask of packs: which there are, their settings, and whether they are in service.
import type { pack } from '../../commands/_schemas/packs.ts'
import type { FromSchema } from './from-schema.ts'
import type { Refusal } from './request.ts'

/** A pack, or a file outside of packs with settings or collections; also one that is gone and has left something. */
export type PackEntry = FromSchema<typeof pack>

/** What a pack may do. */
export type PackRole = PackEntry['role']

/** Refused for a pack that does not exist. All changes are in force at once, on every host. */
export interface PacksService {
  /** By name. */
  list(): Promise<PackEntry[]>
  /**
   * Replaces the settings. A secret that is absent stays, one that is null is removed. Refused when they do not match the
   * schema, or by the `check` of the pack.
   */
  setSettings(pack: string, settings: Readonly<Record<string, unknown>>): Promise<Refusal | undefined>
  /** Resolves to what is wrong with its settings. */
  enable(pack: string): Promise<{ problem?: string } | Refusal>
  /** Its files go out of service; what it keeps stays. */
  disable(pack: string): Promise<Refusal | undefined>
  setRole(pack: string, role: PackRole): Promise<Refusal | undefined>
  /** Deletes what a pack keeps, also its settings. Refused while it is enabled and its files are there. */
  purge(pack: string): Promise<{ documents: number } | Refusal>
}

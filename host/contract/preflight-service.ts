// What is known before commands are sent that copy images or partition disks.
import type { content } from '../../commands/_schemas/planned-restores.ts'
import type { FromSchema } from './from-schema.ts'

/** Why clients cannot be sent a command, by address. What is not known is no reason. */
export type Obstacles = Map<string, string>

/** A partition of some clients, and the name of an image or of a version of it. */
export interface ImageTarget {
  clients: readonly string[]
  disk: string
  partition: string
  name: string
}

/** `repository` is an address. */
export type CreateTarget = ImageTarget & { repository?: string; code: string }
/** `overwrite: false`: computers with another system there are obstacles. */
export type RestoreTarget = ImageTarget & { repository: string; type: string; overwrite?: boolean }

/** The keys of `setup`. */
export interface SetupTarget {
  clients: readonly string[]
  type: string
  disk: string
  cache: string
  cache_size: string
  partition_setup: unknown[]
}

/** What one computer has in a partition. */
export type Content = Omit<FromSchema<typeof content>, 'computers'>

export interface PartitionContents {
  /** The system of the image, '' when it is not known. */
  system: string
  /** By address; of computers that are known to have the partition. */
  byClient: Map<string, Content>
}

export interface PreflightService {
  create(target: CreateTarget): Promise<Obstacles>
  /** `waits`: until nobody is logged in, which is no obstacle then. */
  restore(target: RestoreTarget, waits?: boolean): Promise<Obstacles>
  setup(target: SetupTarget): Promise<Obstacles>
  /** What a restore would overwrite. */
  contents(target: ImageTarget): Promise<PartitionContents>
}

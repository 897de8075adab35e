// The types of values by their JSON Schemas, with those of the schemas that all commands share.
import type { Masks, Step } from '../../stores/store.ts'
import type { MasksChange } from './schedules-service.ts'

/** A disk or partition as agents report it: `code` is hexadecimal, `size` KiB, `used_size` percent. */
export interface DiskEntry {
  disk: string
  partition: string
  code: string
  filesystem: string
  os: string
  size: string
  used_size: string
  disk_type?: string
}

/** The reply to refresh and setup. */
export interface InventoryReply {
  disk_setup?: DiskEntry[]
  partition_setup?: DiskEntry[]
  serial_number?: string
  /** Mbit/s. */
  link?: number
  status?: string
}

/** The types of the schemas that every module may name with `$ref`; the schemas are in host/modules/schemas.ts. */
export interface SharedSchemas {
  /** At least one IPv4 address; repeated addresses count once. */
  clients: string[]
  /** As `clients`, in reads: the first address is used. */
  client: string[]
  /** A dotted IPv4 address. */
  ipv4: string
  /** A string of decimal digits. */
  id: string
  /** The number of a disk or partition in decimal digits, 0 to 9999. */
  place: string
  /** Mbit/s. */
  speed: number
  /** An IPv4 netmask. */
  netmask: string
  /** The status word of an agent: BSY, OPG, VDI, or a word that begins with LINUX or WIN. */
  status: string
  /** The reply to refresh and setup. */
  inventory: InventoryReply
  /** The steps of a procedure: commands and other procedures. */
  steps: Exclude<Step, { task: number }>[]
  /** The steps of a task: procedures and other tasks. */
  taskSteps: Exclude<Step, { command: string }>[]
  /** When a schedule fires: all eight fields. */
  when: Masks
  /** As `when` in an update, where `weeks` and `week_days` are optional. */
  whenChanged: MasksChange
}

type RequiredKeys<S> = S extends { required: readonly (infer K)[] } ? K : never

/** The types of texts, numbers and the like, by the `type` of their schema. */
interface SimpleTypes {
  string: string
  integer: number
  number: number
  boolean: boolean
  null: null
}

/**
 * The type of the values that match a JSON Schema, which is written `as const`. `Root`: the schema around it, whose
 * `definitions` it may name.
 */
export type FromSchema<S, Root = S> = S extends { $ref: infer Name extends keyof SharedSchemas }
  ? SharedSchemas[Name]
  : S extends { $ref: `#/definitions/${infer Name}` }
    ? FromSchema<Definition<Root, Name>, Root>
    : S extends { enum: readonly (infer Value)[] }
      ? Value
      : S extends { type: readonly (infer Type)[] }
        ? Type extends string
          ? FromSchema<Omit<S, 'type'> & { type: Type }, Root>
          : never
        : S extends { type: infer Type extends keyof SimpleTypes }
          ? SimpleTypes[Type]
          : S extends { type: 'array'; items: infer Item }
            ? FromSchema<Item, Root>[]
            : S extends { type: 'object'; properties: infer Of }
              ? { -readonly [K in keyof Of as K extends RequiredKeys<S> ? K : never]: FromSchema<Of[K], Root> } & {
                  -readonly [K in keyof Of as K extends RequiredKeys<S> ? never : K]?: FromSchema<Of[K], Root>
                }
              : S extends { anyOf: readonly (infer Form)[] }
                ? FromSchema<Form, Root>
                : S extends { type: 'object' }
                  ? Record<string, unknown>
                  : S extends undefined
                    ? undefined
                    : unknown

type Definition<Root, Name extends string> = Root extends { definitions: Record<Name, infer Found> } ? Found : never

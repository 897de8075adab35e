// The types of values by their JSON Schemas.
import type { commonSchemas } from './named-schemas.ts'

/** What the names stand for that every schema may have in `$ref`. */
type CommonTypes = { [Name in keyof typeof commonSchemas]: FromSchema<(typeof commonSchemas)[Name]> }

/** The reply to refresh and setup. */
export type InventoryReply = CommonTypes['inventory']
/** A disk or partition as agents report it. */
export type DiskEntry = NonNullable<InventoryReply['disk_setup']>[number]

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
export type FromSchema<S, Root = S> = S extends { $ref: infer Name extends keyof CommonTypes }
  ? CommonTypes[Name]
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
                : S extends { type: 'object'; additionalProperties: infer Value extends object }
                  ? Record<string, FromSchema<Value, Root>>
                  : S extends { type: 'object' }
                    ? Record<string, unknown>
                    : S extends undefined
                      ? undefined
                      : unknown

type DefaultKeys<Of> = { [K in keyof Of]: Of[K] extends { default: unknown } ? K : never }[keyof Of]

/** As `FromSchema`, of an object whose absent properties have their `default`, also in properties that are objects. */
export type WithDefaults<S, Root = S> = S extends { type: 'object'; properties: infer Of }
  ? WithPresent<Of, RequiredKeys<S> | DefaultKeys<Of>, Root>
  : FromSchema<S, Root>

type WithPresent<Of, Present, Root> = {
  -readonly [K in keyof Of as K extends Present ? K : never]: WithDefaults<Of[K], Root>
} & { -readonly [K in keyof Of as K extends Present ? never : K]?: WithDefaults<Of[K], Root> }

type Definition<Root, Name extends string> = Root extends { definitions: Record<Name, infer Found> } ? Found : never

// The schemas of counts and comparisons of what computers have.
import { count } from './fleet-inventory.ts'
import { address, described, integer, like, list, object, text } from './objects.ts'

/** `value`: a schema with an example. */
const counts = <const Value extends object>(value: Value, about: string) =>
  described(
    object({
      values: list(object({ value, computers: count })),
      'omitted?': described(integer, 'how many values are not listed', 3),
    }),
    `${about}, the 50 most frequent ones`,
  )

export const summary = object({
  computers: described(integer, 'how many computers were found', 120),
  models: counts(like(text, 'OptiPlex 7010'), 'models'),
  memory: counts(like(integer, 16), 'GiB of memory'),
  disks: counts(like(integer, 512), 'GB of each disk'),
  processors: counts(like(text, 'Intel Core i5-12400'), 'processors'),
  systems: counts(like(text, 'Windows 11 Pro'), 'installed operating systems'),
})

const difference = object({
  kind: { enum: ['software', 'device', 'disk', 'system', 'image'] } as const,
  text: like(text, 'Blender 3.6.2'),
  computers: described(integer, 'how many of the room have it', 29),
  of: described(integer, 'of how many of the room it is known what they have of this kind', 30),
})

export const differences = object({
  compared: described(integer, 'how many computers the room has', 30),
  different: described(integer, 'how many of them differ', 1),
  computers: list(
    object({
      client: address,
      'name?': like(text, 'pc-20'),
      missing: list(difference, 'what most others have and it has not, at most 10'),
      extra: list(difference, 'what it has and most others have not, at most 10'),
      missing_count: described(integer, 'in all', 1),
      extra_count: described(integer, 'in all', 0),
    }),
    'those that differ most come first, at most 30',
  ),
})

/** What computers have in a partition. */
export const partitionSystem = object({
  disk: described(integer, 'from 1', 1),
  partition: described(integer, 'from 1', 2),
  system: described(text, 'the operating system there; empty: none, or not known', 'Windows 10'),
  clients: list(address, 'who has it'),
})

// Adds tags to computers and removes tags from them: on all of them, or on none.
import { toTags } from '../../stores/rules/tags.ts'
import type { Store } from '../../stores/store.ts'
import { mostTags } from '../contract/named-schemas.ts'
import { refuse } from '../contract/refusal.ts'
import type { Refusal } from '../contract/services.ts'

type Merge = Store['computers']['merge']

/** `merge` stores the changed computers. */
export async function changeTags(
  store: Pick<Store, 'computers'>,
  ips: readonly string[],
  change: { add: string[]; remove: string[] },
  merge: Merge,
): Promise<Refusal | undefined> {
  const [added, removed] = [toTags(change.add), toTags(change.remove)]
  const both = added.find(each => removed.includes(each))
  if (both !== undefined) return refuse(`tags: expected ${both} in add or in remove, got it in both`)
  const computers = await store.computers.findMany(ips)
  const known = new Set(computers.map(({ ip }) => ip))
  const unknown = ips.find(ip => !known.has(ip))
  if (unknown !== undefined) return refuse(`clients: there is no computer ${unknown}`)
  return mergeChanged(computers, tags => toTags([...tags, ...added]).filter(each => !removed.includes(each)), merge)
}

interface Tagged {
  readonly id: number
  readonly ip: string
  readonly tags?: readonly string[] | undefined
}

async function mergeChanged(
  computers: readonly Tagged[],
  changed: (tags: readonly string[]) => string[],
  merge: Merge,
): Promise<Refusal | undefined> {
  const rows: { id: number; tags: string[] }[] = []
  for (const { id, ip, tags: before = [] } of computers) {
    const tags = changed(before)
    if (tags.length > mostTags) return refuse(`tags: expected at most ${mostTags} of ${ip}, got ${tags.length}`)
    if (tags.join() !== before.join()) rows.push({ id, tags })
  }
  if (rows.length === 0) return undefined
  const { conflicts, before } = await merge(rows)
  // A computer may have been deleted since.
  if (conflicts[0]) return refuse(`clients: ${conflicts[0].reason}`)
  // What another host has done to the tags of a computer since they were read must not be lost.
  const known = new Map(computers.map(computer => [computer.id, textOf(computer)]))
  return mergeChanged(
    before.filter(computer => textOf(computer) !== known.get(computer.id)),
    changed,
    merge,
  )
}

const textOf = ({ tags = [] }: Tagged) => tags.join()

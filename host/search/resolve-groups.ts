// Makes the condition of a query from the facts and from the groups that it names.
import type { Group, Store, Where } from '../../stores/store.ts'
import { groupNamed, groupsInOrder, queryOf, termsOf } from './group-order.ts'
import type { LiveFacts } from './live-facts.ts'
import type { Query } from './parse-query.ts'
import { resolveQuery } from './resolve-query.ts'

export interface SearchedStore {
  computers: Pick<Store['computers'], 'search'>
  groups: Pick<Store['groups'], 'list'>
}

export type Facts = Omit<LiveFacts, 'group'>

/** Rejects with a `QueryError`. Each group is asked for once, however many name it. */
export async function resolveWithGroups(query: Query, store: SearchedStore, facts: Facts): Promise<Where> {
  const hasGroups = termsOf(query).some(({ field }) => field === 'group')
  const groups = hasGroups ? await store.groups.list() : []
  const known = new Map<number, Where>()
  const all = { ...facts, group: (name: string) => known.get(groupNamed(groups, name)?.id ?? 0) }
  for (const group of groupsInOrder(query, groups)) known.set(group.id, await conditionOf(group, store, all))
  return resolveQuery(query, all)
}

async function conditionOf(group: Group, { computers }: SearchedStore, facts: LiveFacts): Promise<Where> {
  if (group.clients) return { in: group.clients }
  const found = await computers.search(await resolveQuery(queryOf(group), facts))
  return { in: found.map(({ ip }) => ip) }
}

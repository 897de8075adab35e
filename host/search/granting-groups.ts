// Groups that grant rights: what these may be made of, and the computers that they have.
import type { Group } from '../../stores/store.ts'
import { groupNamed, groupsInOrder, queryOf, termsOf } from './group-order.ts'
import { noFacts } from './live-facts.ts'
import { type Query, QueryError, type Term } from './parse-query.ts'
import { resolveWithGroups, type SearchedStore } from './resolve-groups.ts'

/** Only administrators write these: a computer must not grant rights by what it says of itself. */
const grantingFields = ['tag', 'room', 'room_id', 'center', 'center_id', 'ip', 'group']

const named = ({ id }: Group): Query => ({ field: 'group', operator: ':', value: String(id), at: 0, valueAt: 0 })

/** The terms of a group and of those that it names. Throws a `QueryError`. */
const allTerms = (group: Group, groups: readonly Group[]): Term[] =>
  groupsInOrder(named(group), groups).flatMap(each => (each.clients ? [] : termsOf(queryOf(each))))

/** Why a group cannot grant rights. */
export function checkGranting(group: Group, groups: readonly Group[]): string | undefined {
  try {
    const wrong = allTerms(group, groups).find(({ field = '' }) => !grantingFields.includes(field))
    return wrong && `group ${group.name} grants rights: expected ${grantingFields.join(', ')}, got ${nameOf(wrong)}`
  } catch (error) {
    if (error instanceof QueryError) return `group ${group.name}: ${error.message}`
    throw error
  }
}

const nameOf = ({ field, value }: Term) => field ?? value

/** The addresses of computers that a group has now; none of a group that is gone or cannot grant rights. */
export async function grantedAddresses(ids: Iterable<number>, store: SearchedStore) {
  const groups = await store.groups.list()
  const granted = new Map<number, ReadonlySet<string>>()
  for (const id of ids) {
    const group = groupNamed(groups, String(id))
    if (!group || checkGranting(group, groups) !== undefined) continue
    const where = await resolveWithGroups(named(group), { ...store, groups: { list: async () => groups } }, noFacts)
    granted.set(id, new Set((await store.computers.search(where)).map(({ ip }) => ip)))
  }
  return granted
}

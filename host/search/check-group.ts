// Says why a group cannot be stored among the others.
import type { Group } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { AccessService, Refusal } from '../contract/services.ts'
import { checkGranting } from './granting-groups.ts'
import { groupNamed, groupsInOrder } from './group-order.ts'
import { type LiveFacts, noFacts } from './live-facts.ts'
import { parseOrRefuse } from './parse-or-refuse.ts'
import { resolveQuery } from './resolve-query.ts'

/** Those that have groups in their limits. */
export type Accounts = Pick<AccessService, 'tokens' | 'users'>

/** `all`: those that are stored, also the one that it replaces. */
export async function checkGroup(group: Group, all: readonly Group[], access: Accounts): Promise<Refusal | undefined> {
  const others = all.filter(({ id }) => id !== group.id)
  if (/^\d+$/.test(group.name)) return refuse(`name: expected one that is no number, got ${group.name}`)
  if (others.some(({ name }) => name.toLowerCase() === group.name.toLowerCase()))
    return refuse(`name: group ${group.name} exists`)
  const next = [...others, group]
  return (await checkQuery(group, next)) ?? checkGranted(next, access)
}

async function checkQuery(group: Group, next: readonly Group[]): Promise<Refusal | undefined> {
  if (group.where === undefined) return undefined
  const refusal = await parseOrRefuse(group.where, async query => {
    groupsInOrder(query, next, group)
    await resolveQuery(query, anyFacts(next))
  })
  return isRefusal(refusal) ? refusal : undefined
}

/** For a query that is checked and not asked. */
const anyFacts = (groups: readonly Group[]): LiveFacts => ({
  ...noFacts,
  group: name => (groupNamed(groups, name) ? { and: [] } : undefined),
})

/** Why groups that accounts name could not grant rights any more. */
function checkGranted(next: readonly Group[], access: Accounts): Refusal | undefined {
  const ids = new Set([...access.tokens(), ...access.users()].flatMap(({ groups = [] }) => groups))
  for (const group of next) {
    const problem = ids.has(group.id) ? checkGranting(group, next) : undefined
    if (problem !== undefined) return refuse(problem)
  }
  return undefined
}

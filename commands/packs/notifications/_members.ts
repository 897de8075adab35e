// Which computers rules with groups are for.
import type { Services } from 'fleet-host'
import type { Rule } from './_schemas.ts'

/** Whether a rule is for something of this client, or of none. */
export type IsMember = (rule: Rule, client: string | undefined) => boolean

/** Groups have the members that they have now: none when they are deleted. */
export async function findMembers(rules: readonly Rule[], { search, access, isRefusal }: Services): Promise<IsMember> {
  const members = new Map<number, ReadonlySet<string>>()
  const rights = access.rightsOf('pack:notifications')
  for (const group of new Set(rules.flatMap(({ groups = [] }) => groups))) {
    const found = rights && (await search.targets({ group }, rights))
    members.set(group, new Set(!found || isRefusal(found) ? [] : found.clients))
  }
  return ({ groups = [] }, client) =>
    groups.length === 0 || groups.some(group => client !== undefined && members.get(group)?.has(client))
}

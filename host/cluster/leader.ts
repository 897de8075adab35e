// Which host leads the fleet: members are in the order in which they joined, and the first does what is done once.
import type { HostKey } from '../../stores/store.ts'

export const leaderOf = <Member>(members: readonly Member[]): Member | undefined => members[0]

/** A host that is not a member, for instance while it joins again, comes right after the leader. */
const rankOfOthers = 1

/** How many hosts come before this one when the leader does not do what it is to do: 0 for the leader itself. */
export function rankOf(name: string, members: readonly Pick<HostKey, 'name'>[]): number {
  const index = members.findIndex(member => member.name === name)
  return index < 0 ? rankOfOthers : index
}

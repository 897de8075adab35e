// Finds what names a group, and would be without its computers if it were deleted.
import type { Group, Store } from '../../stores/store.ts'
import type { Accounts } from './check-group.ts'
import { groupNamed, termsOf } from './group-order.ts'
import { parseQuery, QueryError } from './parse-query.ts'

type Targets = { where?: string | undefined; group?: number | undefined }

export interface GroupUsers {
  store: Pick<Store, 'groups' | 'tasks' | 'schedules'>
  access: Accounts
}

/** For people: other groups, tasks, schedules, tokens and users. */
export async function usersOf(group: Group, all: readonly Group[], { store, access }: GroupUsers): Promise<string[]> {
  const names = ({ where, group: id }: Targets) =>
    id === group.id || (where !== undefined && isNamed(where, group, all))
  const found = all.filter(each => each !== group && names({ where: each.where })).map(({ name }) => `group ${name}`)
  for (const task of await store.tasks.list()) if (names(task)) found.push(`task ${task.name}`)
  for (const schedule of await store.schedules.list()) {
    const command = schedule.type === 'command' ? await store.schedules.findScheduledCommand(schedule.task) : undefined
    if (command && names(command)) found.push(`schedule ${schedule.name}`)
  }
  const has = ({ groups = [] }: { groups?: readonly number[] }) => groups.includes(group.id)
  for (const token of access.tokens()) if (has(token)) found.push(`token ${token.name}`)
  for (const user of access.users()) if (has(user)) found.push(`user ${user.name}`)
  return found
}

function isNamed(where: string, group: Group, all: readonly Group[]): boolean {
  try {
    return termsOf(parseQuery(where)).some(({ field, value }) => field === 'group' && groupNamed(all, value) === group)
  } catch (error) {
    if (error instanceof QueryError) return false
    throw error
  }
}

// Whom a task is for: what the options that choose computers become, and which of these it leaves out now.
import type { TaskAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import {
  centerOf,
  findId,
  followedQuery,
  refuseMixed,
  resolveAddresses,
  type ScopeFlags,
  withoutExcepted,
} from '../api/records.ts'
import { searchComputers } from '../api/search-computers.ts'
import { usageError } from '../cli-error.ts'
import { plural } from '../terminal/text-table.ts'
import { noComputers } from './subcommand-options.ts'

/** What a task has for them, with words for its name, and the center that it belongs to. `command` is for errors. */
export async function findTargets(api: ApiClient, command: string, flags: ScopeFlags) {
  const { room = [], center = [], where, group, client = [], except = [] } = flags
  refuseMixed(flags)
  const isPlace = room.length + center.length > 0 && client.length === 0
  const addresses = isPlace ? [] : await resolveAddresses(api, flags)
  if (!isPlace && addresses.length === 0) throw usageError(`${command}: ${noComputers}`)
  const owner = String(await centerOf(api, flags, addresses[0]))
  const targets = (words: string, targets: Targets) => ({
    center: owner,
    words: except.length === 0 ? words : `${words} − ${except.join(', ')}`,
    targets,
  })
  if (isPlace) return targets([...room, ...center].join(', '), { where: await followedQuery(api, flags) })
  if (where !== undefined) return targets(where, { where: await withoutExcepted(api, flags, where) })
  if (group === undefined)
    return targets(client.length === 1 ? client.join() : plural(addresses.length, 'computer'), { clients: addresses })
  const id = await findId(api, 'group', '--group', group)
  const query = except.length === 0 ? { group: id } : { where: await withoutExcepted(api, flags, `group:${id}`) }
  return targets(group, query)
}

type Targets = { where: string } | { group: number } | { clients: string[] }

/** The addresses of those whom a task is for that are in maintenance. */
export async function findLeftOut({ call }: ApiClient, task: TaskAnswer): Promise<string[]> {
  const { where, group, clients, scope = { type: 'center', id: task.center } } = task
  // No query finds one computer by its id.
  if (scope.type === 'computer') return []
  const query = where ?? (group === undefined ? `${scope.type}_id:${scope.id}` : `group:${group}`)
  const isLeftOut = clients ? 'maintenance:yes' : `(${query}) maintenance:yes`
  const { computers } = await searchComputers(call, isLeftOut, { columns: 'client' })
  return computers.map(({ client }) => client).filter(client => clients?.includes(client) ?? true)
}

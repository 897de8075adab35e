// Whom a task, or a list, is for: what the options that choose computers become, and which of these it leaves out now.
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
  const addresses = isPlace && except.length === 0 ? [] : await resolveAddresses(api, flags)
  if (!isPlace && addresses.length === 0) throw usageError(`${command}: ${noComputers}`)
  const owner = String(await centerOf(api, flags, addresses[0]))
  const targets = (words: string, targets: Targets) => ({
    center: owner,
    words,
    targets,
  })
  const found = async () => ({ where: (await queryOf(api, flags)) ?? '' })
  if (isPlace) return targets([...room, ...center].join(', '), await found())
  if (where !== undefined) return targets(where, await found())
  if (group === undefined)
    return targets(client.length === 1 ? client.join() : plural(addresses.length, 'computer'), { clients: addresses })
  const isWhole = except.length === 0
  return targets(group, isWhole ? { group: await findId(api, 'group', '--group', group) } : await found())
}

type Targets = { where: string } | { group: number } | { clients: string[] }

/** A query for those that are chosen; undefined for all. */
export async function queryOf(api: ApiClient, flags: ScopeFlags): Promise<string | undefined> {
  const { where, group, room = [], center = [], client = [] } = flags
  refuseMixed(flags)
  if (where !== undefined) return withoutExcepted(api, flags, where)
  if (group !== undefined) return withoutExcepted(api, flags, `group:${await findId(api, 'group', '--group', group)}`)
  const addresses = client.length === 0 ? [] : await resolveAddresses(api, { client })
  const places = room.length + center.length === 0 ? [] : [await followedQuery(api, { room, center })]
  const terms = [...places, ...addresses.map(address => `ip:${address}`)]
  return terms.length === 0 ? undefined : withoutExcepted(api, flags, terms.join(' or '))
}

/** A query for those whom a task without a list of computers is for. */
const queryOfTask = ({ where, group, center, scope = { type: 'center', id: center } }: TaskAnswer) =>
  where ?? (group === undefined ? `${scope.type}_id:${scope.id}` : `group:${group}`)

/** Whom a task is for, but not the computers of `--except`. */
export async function leaveOut(api: ApiClient, task: TaskAnswer, { except }: ScopeFlags): Promise<Targets> {
  const where = queryOfTask(task)
  const chosen = task.clients ? { client: task.clients } : { where }
  const isFixed = task.for.kind !== 'query' && task.for.kind !== 'group'
  const clients = await resolveAddresses(api, { ...chosen, except }, isFixed)
  return task.clients ? { clients } : { where: await withoutExcepted(api, { except }, where) }
}

/** The addresses of those whom a task is for that are in maintenance. */
export async function findLeftOut({ call }: ApiClient, task: TaskAnswer): Promise<string[]> {
  const { clients } = task
  const isLeftOut = clients ? 'maintenance:yes' : `(${queryOfTask(task)}) maintenance:yes`
  const { computers } = await searchComputers(call, isLeftOut, { columns: 'client' })
  return computers.map(({ client }) => client).filter(client => clients?.includes(client) ?? true)
}

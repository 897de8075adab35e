// Puts the clients into a payload that names them by a query or a group.
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Refusal, Rights, SearchService } from '../contract/services.ts'
import { showValue } from '../log/shown-text.ts'

type FindTargets = SearchService['targets']

const keys = ['clients', 'where', 'group'] as const

/** Whether `where` or `group` stand for the `clients` of this payload; they are the command's own where it declares them. */
export const namesTargets = ({ findsClients }: LoadedCommand, payload: unknown): payload is object =>
  findsClients && payload instanceof Object && (Object.hasOwn(payload, 'where') || Object.hasOwn(payload, 'group'))

/** The payload with `clients`, of which there is at least one that the caller may see, and the query that found them. */
export async function findClients(
  payload: object,
  rights: Rights,
  findTargets: FindTargets,
): Promise<{ payload: object; where: string } | Refusal> {
  const named = keys.filter(key => Object.hasOwn(payload, key))
  if (named.length > 1) return refuse(`payload: expected one of clients, where and group, got ${named.join(' and ')}`)
  const { where, group, ...others }: { where?: unknown; group?: unknown } = payload
  if (where !== undefined && typeof where !== 'string') return refuse(`where: expected a text, got ${showValue(where)}`)
  const isId = /^[1-9]\d{0,14}$/.test(String(group))
  if (where === undefined && !isId) return refuse(`group: expected the id of a group, got ${showValue(group)}`)
  const found = await findTargets(where === undefined ? { group: Number(group) } : { where }, rights)
  if (isRefusal(found)) return found
  if (found.clients.length === 0) return refuse('where: no computer matches')
  return { payload: { ...others, clients: found.clients }, where: found.where }
}

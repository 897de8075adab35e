// Whom a task is for: the options of `fleet nightly` and `fleet schedule edit` that choose computers.
import type { ApiClient } from '../api/client.ts'
import { centerOf, findId, followedQuery, resolveAddresses, type ScopeFlags } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import { plural } from '../terminal/text-table.ts'
import { noComputers } from './subcommand-options.ts'

/** What a task has for them, with words for its name, and the center that it belongs to. `command` is for errors. */
export async function findTargets(api: ApiClient, command: string, flags: ScopeFlags) {
  const { room = [], center = [], where, group, client = [] } = flags
  const isPlace = room.length + center.length > 0 && client.length === 0
  const addresses = isPlace ? [] : await resolveAddresses(api, flags)
  if (!isPlace && addresses.length === 0) throw usageError(`${command}: ${noComputers}`)
  const owner = String(await centerOf(api, flags, addresses[0]))
  if (isPlace)
    return {
      center: owner,
      words: [...room, ...center].join(', '),
      targets: { where: await followedQuery(api, flags) },
    }
  if (where !== undefined) return { center: owner, words: where, targets: { where } }
  if (group !== undefined)
    return { center: owner, words: group, targets: { group: await findId(api, 'group', '--group', group) } }
  return {
    center: owner,
    words: client.length === 1 ? client.join() : plural(addresses.length, 'computer'),
    targets: { clients: addresses },
  }
}

// What `fleet restore` says of restores that are planned already for the same night and the same partitions.
import type { PreviewAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { readScopes } from '../api/records.ts'
import { CliError } from '../cli-error.ts'
import { paint } from '../terminal/terminal.ts'
import { formatLocalTime, plural } from '../terminal/text-table.ts'

/** Restores that start less than this apart, in milliseconds, are of one night. */
const nightLength = 12 * 3_600_000

interface Meant {
  rooms?: number[] | undefined
  clients?: string[] | undefined
}

/** Lines about them. The same restore for the same time is an error: a script that runs twice plans it once. */
export async function earlierPlans(api: ApiClient, preview: PreviewAnswer, meant: Meant): Promise<string[]> {
  const { image, starts, disk, partition } = preview
  const { plans } = (await api.call('GET /image/plans')).body
  const isNear = (next: string | undefined) =>
    next !== undefined && Math.abs(Date.parse(next) - Date.parse(starts)) < nightLength
  const near = plans.filter(plan => isNear(plan.next) && plan.disk === disk && plan.partition === partition)
  if (near.length === 0) return []
  const { tasks } = (await api.call('GET /tasks')).body
  const addresses = await addressesOf(api, meant)
  return near.flatMap(plan => {
    const clients = tasks.find(({ id }) => id === plan.task)?.clients ?? []
    const count = clients.filter(client => addresses.has(client)).length
    if (count === 0) return []
    const isSame = plan.image === image && plan.next === starts
    const what = isSame ? 'that time' : `that night: ${plan.image}, ${formatLocalTime(plan.next)}`
    const words = `planned already for ${what}: schedule ${plan.schedule}, for ${plural(count, 'computer')} of these`
    if (isSame) throw new CliError(`restore: ${words}: fleet schedule delete ${plan.schedule} cancels it`)
    return paint('yellow', `${words}; what is restored last stays`)
  })
}

async function addressesOf(api: ApiClient, { rooms = [], clients = [] }: Meant): Promise<Set<string>> {
  const scopes = await readScopes(api)
  const inRooms = scopes.rooms.filter(({ id }) => rooms.includes(id)).flatMap(({ computers }) => computers)
  return new Set([...clients, ...inRooms.map(({ ip }) => ip)])
}

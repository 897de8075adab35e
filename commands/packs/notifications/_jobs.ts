// What became of a finished job in each room: one digest, on however many computers it has failed.
import type { HookEvent } from 'fleet-host'
import type { Places } from './_places.ts'
import type { Context, Message } from './_schemas.ts'

export type RoomDigest = Pick<Message, 'room' | 'place' | 'title' | 'entries' | 'count'> & {
  outcome: 'failure' | 'success'
}

export type JobFinished = Extract<HookEvent<'job-finished'>, { type: 'job-finished' }>

const failed = new Set(['failure', 'expired'])

/** By room. `problems`: by client. */
export function digestJob(
  { name, time }: JobFinished,
  clients: readonly string[],
  problems: ReadonlyMap<string, string>,
  places: Places,
): RoomDigest[] {
  const rooms = new Map<number, string[]>()
  for (const client of clients) {
    const { room } = places.of(client)
    const others = rooms.get(room)
    if (others) others.push(client)
    else rooms.set(room, [client])
  }
  return Array.from(rooms, ([room, all]) => {
    const bad = all.filter(client => problems.has(client))
    const place = places.nameOf(room)
    const where = place === '' ? '' : `, ${place}`
    const title =
      bad.length > 0
        ? `${name}: ${bad.length} of ${all.length} computers failed${where}`
        : `${name}: done on ${all.length} computers${where}`
    const entries = bad.map(client => ({
      time,
      client,
      text: `${places.of(client).name}: ${problems.get(client)}`.slice(0, 500),
    }))
    return { room, place, title, entries, count: bad.length, outcome: bad.length > 0 ? 'failure' : 'success' }
  })
}

/** The first reason of each client on which something has failed. */
export async function problemsOf(job: number, { services }: Context): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>()
  const rights = services.access.rightsOf('pack:notifications')
  let after: number | undefined = -1
  while (rights && after !== undefined) {
    const page = await services.jobs.read(String(job), { after }, rights)
    // The job may be deleted by now.
    if (services.isRefusal(page)) break
    for (const { client, state, reason } of page.parts)
      if (failed.has(state) && !problems.has(client)) problems.set(client, reason || state)
    after = page.next
  }
  return problems
}

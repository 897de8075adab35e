// Of the clients of a request that copies images or partitions disks: those that are skipped, and those that wait for a slot.

import type { LoadedCommand } from '../../contract/loaded-command.ts'
import { repositoryOf } from '../../images/repository-slots.ts'
import type { JobsDeps } from '../deps.ts'
import { findObstacles, noObstacles } from '../preflight.ts'
import { type Accepted, clientsOf } from '../prepare.ts'
import type { OpenJob } from '../record/open-job.ts'

/** Adds the parts of those, and resolves to the other clients, which are sent the request as ever. */
export async function sendable(
  { job, index, loaded }: { job: Pick<OpenJob, 'add'>; index: number; loaded: LoadedCommand },
  { payload }: Accepted,
  { queue }: { queue?: number },
  { fleet, cluster, services, clock, limits, slots }: JobsDeps,
): Promise<string[]> {
  const repository = repositoryOf(loaded, payload)
  const isLimited = repository !== undefined && (await slots?.isLimited(repository)) === true
  const obstacles = loaded.command.preflight ? await findObstacles(loaded, payload, services) : noObstacles
  const others: string[] = []
  for (const client of clientsOf(payload)) {
    const reason = obstacles.get(client)
    if (reason !== undefined) job.add({ client, step: index, state: 'skipped', reason, ended: clock.now() })
    else if (isLimited && (fleet.isReady(client) || cluster.remote.find(client))) {
      job.add({ client, step: index, state: 'queued', expires: queue ?? limits.expiry_seconds })
    } else others.push(client)
  }
  return others
}

/** How many clients of a request wait, at most. */
export async function countWaiting(
  loaded: LoadedCommand,
  payload: unknown,
  { queue }: { queue?: number },
  { fleet, slots }: JobsDeps,
): Promise<number> {
  const repository = repositoryOf(loaded, payload)
  // Without an address `accept` chooses the repository.
  const mayTakeSlots = repository === undefined ? loaded.command.imaging : await slots?.isLimited(repository)
  if (mayTakeSlots) return clientsOf(payload).length
  return queue === undefined ? 0 : clientsOf(payload).filter(addr => !fleet.isReady(addr)).length
}

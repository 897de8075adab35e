// Asks a command which clients it cannot succeed on: these are skipped, and it is never sent to them.
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Refusal, Request, Rights } from '../contract/services.ts'
import { repositoryOf } from '../images/repository-slots.ts'
import { decide } from './ask-hooks.ts'
import type { CommandServices } from './command-services.ts'
import type { JobsDeps } from './deps.ts'
import { type Accepted, clientsOf } from './prepare.ts'
import type { OpenJob } from './record/open-job.ts'

export type Obstacles = ReadonlyMap<string, string>

/** Of a command without `preflight`, which is not to be asked: most are such. */
const noObstacles: Obstacles = new Map()

/** By address; none when they cannot be found out, which is logged. */
export async function findObstacles(
  loaded: LoadedCommand,
  payload: unknown,
  commandServices: CommandServices,
): Promise<Obstacles> {
  const context = commandServices.contextOf(loaded)
  try {
    return (await loaded.command.preflight?.({ payload, ...context })) ?? noObstacles
  } catch (error) {
    context.services.log.error('preflight failed', error)
    return noObstacles
  }
}

/** The answer to `?dry_run=1`; undefined when the query does not have it. */
export function preview(
  loaded: LoadedCommand,
  payload: unknown,
  { query, rights }: Pick<Request, 'query' | 'rights'>,
  deps: Pick<JobsDeps, 'services' | 'decider'>,
): Promise<object> | Refusal | undefined {
  const { dry_run: dryRun } = query
  const { forward, act } = loaded.command
  if (dryRun === undefined || dryRun === '0' || (!forward && !act)) return undefined
  if (dryRun !== '1') return refuse(`?dry_run: expected 0 or 1, got ${dryRun}`)
  return list(loaded, payload, { rights, isQueued: query.queue === '1' }, deps)
}

async function list(
  loaded: LoadedCommand,
  payload: unknown,
  { rights, isQueued }: { rights: Rights; isQueued: boolean },
  { services: commandServices, decider }: Pick<JobsDeps, 'services' | 'decider'>,
): Promise<object> {
  const context = commandServices.contextOf(loaded)
  const { fleet } = context.services
  // What is not forwarded does not need their agents, such as a wake-up.
  const needsAgent = loaded.command.forward !== undefined && !isQueued
  const decision = await decide({ loaded, payload, clients: clientsOf(payload), rights, begins: false }, decider)
  const decided = (client: string) => (isRefusal(decision) ? decision.refused : decision.get(client))
  const obstacles = await findObstacles(loaded, payload, commandServices)
  const shown = await loaded.command.preview?.({ payload, ...context })
  const mayBeBusy = loaded.command.forward?.whileBusy === true
  const busy = new Set(mayBeBusy ? [] : fleet.running().map(({ addr }) => addr))
  const clients = [...new Set(clientsOf(payload))].map(client => {
    const state = !needsAgent ? undefined : busy.has(client) ? 'busy' : fleet.has(client) ? undefined : 'not connected'
    const refused = decided(client) ?? obstacles.get(client) ?? state
    return { client, ...(refused !== undefined && { refused }), ...shown?.get(client) }
  })
  return { clients }
}

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
    else if (isLimited && (fleet.isReady(client) || fleet.isLeaving(client) || cluster.remote.find(client))) {
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

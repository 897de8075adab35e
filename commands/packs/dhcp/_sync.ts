// Compares all servers of the settings with the records, and changes them.
import type { Refusal } from 'fleet-host'
import { compare } from './_changes.ts'
import type { Context, Settings } from './_dhcp-schemas.ts'
import { dnsmasqServer } from './_dnsmasq-files.ts'
import { keaServer } from './_kea-server.ts'
import { type Recorded, readRecorded } from './_records.ts'
import type { Compared, DhcpServer, ServerState } from './_server-state.ts'

/** A hook and a request have 30 s. */
const syncMilliseconds = 25_000

/** What changes within so many milliseconds is one sync. */
export const changeMilliseconds = 5000

/** The hook that syncs. */
export const syncer = 'dhcp/sync-reservations'

export interface Comparison {
  server: string
  /** Why it could not be read or changed. */
  problem: string
  /** Undefined: it could not be read. */
  changes: Compared | undefined
  isStale: boolean
}

export const serversOf = (settings: Settings): DhcpServer[] => [
  ...(settings.dnsmasq.hosts_file === '' ? [] : [dnsmasqServer(settings)]),
  ...settings.kea.urls.map(url => keaServer(url, settings)),
]

type Work = (state: ServerState, changes: Compared) => Promise<void>

/** What each server lacks. */
export async function compareAll(context: Context, milliseconds: number): Promise<Comparison[] | Refusal> {
  const recorded = await readRecorded(context)
  if (context.services.isRefusal(recorded)) return recorded
  return Promise.all(serversOf(context.settings).map(server => compareOne(server, recorded, milliseconds, context)))
}

/** One after the other: the second server of a database has what the first one has got. */
async function changeAll(context: Context): Promise<Comparison[] | Refusal> {
  const recorded = await readRecorded(context)
  if (context.services.isRefusal(recorded)) return recorded
  const servers = serversOf(context.settings)
  const comparisons: Comparison[] = []
  for (const server of servers) {
    const milliseconds = syncMilliseconds / servers.length
    const hasFailed = Boolean((await findOutcome(server.name, context))?.problem)
    const comparison = await compareOne(server, recorded, milliseconds, context, async (state, changes) => {
      if (hasFailed || differs({ changes, isStale: state.isStale })) await state.write(changes, hasFailed)
    })
    await record(comparison, context)
    comparisons.push(comparison)
  }
  return comparisons
}

async function compareOne(
  server: DhcpServer,
  recorded: Recorded,
  milliseconds: number,
  { services }: Context,
  work?: Work,
): Promise<Comparison> {
  const comparison: Comparison = { server: server.name, problem: '', changes: undefined, isStale: false }
  const signal = AbortSignal.any([services.signal, AbortSignal.timeout(milliseconds)])
  try {
    const state = await server.read(signal)
    comparison.isStale = state.isStale
    comparison.changes = compare(recorded, state)
    await work?.(state, comparison.changes)
  } catch (error) {
    comparison.problem = error instanceof Error ? error.message : String(error)
  }
  return comparison
}

/** Whether a sync changes something there. */
export const differs = ({ changes, isStale }: Pick<Comparison, 'changes' | 'isStale'>) =>
  isStale || (changes !== undefined && changes.added.length + changes.changed.length + changes.removed.length > 0)

/** Changes all servers. A refusal: another sync is running, or the query of the settings names what is gone. */
export async function syncAll(context: Context): Promise<Comparison[] | Refusal> {
  const { collections, services } = context
  const before = await collections.running.get('sync')
  const now = services.now()
  // One that a kill has ended is over when its time is.
  if (before && before.value.until > now) return services.refuse('a sync is running')
  const mine = await collections.running.put(
    'sync',
    { until: now + 2 * syncMilliseconds },
    { version: before?.version ?? 0 },
  )
  if (mine === undefined) return services.refuse('a sync is running')
  try {
    return await changeAll(context)
  } finally {
    await collections.running.delete('sync')
  }
}

const keyOf = (server: string) => server.slice(0, 256)

/** Of the last sync. */
export const findOutcome = async (server: string, { collections }: Context) =>
  (await collections.outcomes.get(keyOf(server)))?.value

async function record({ server, problem, changes }: Comparison, { collections, services }: Context): Promise<void> {
  const { added = [], changed = [], removed = [] } = changes ?? {}
  const count = added.length + changed.length + removed.length
  if (problem !== '') services.log.warn(`${server}: ${problem}`)
  else if (count > 0) services.log.info(`${server}: ${count} reservations changed`)
  await collections.outcomes.put(keyOf(server), { time: services.now(), problem: problem.slice(0, 2000) })
}

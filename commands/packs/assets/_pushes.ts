// Pushes computers to GLPI when they are due: changed ones soon, all of them from time to time, refused ones again later.
import type { Refusal, Rights, StoredDocument } from 'fleet-host'
import type { Context, Push } from './_asset-schemas.ts'
import { connectGlpi, type GlpiAnswer, type GlpiConnection } from './_glpi-connection.ts'
import { type GlpiDocument, readDocuments } from './_glpi-document.ts'
import { readSerials } from './_serials.ts'

type Stored = StoredDocument<Push>

/** The hook that pushes. */
export const pusher = 'assets/send-pushes'

const minute = 60_000
const hour = 60 * minute
/** Milliseconds until the next attempt; the last one is repeated. */
const delays = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour]

/** GLPI itself is asked so often. */
const longestOutageDelay = 30 * minute

const delayAfter = (failures: number) => delays[Math.min(failures, delays.length) - 1] ?? 0

/** What changes within so many milliseconds is one push. */
export const changeMilliseconds = 10_000

/** Requests at the same time. */
const pushesAtOnce = 4
/** Of a run, which has 30 s, without the time that GLPI takes for its last answers. */
const runMilliseconds = 27_000

/** When a computer is pushed next. */
export const dueOf = ({ due, pushed = 0 }: Push, { settings }: Context) => due ?? pushed + settings.glpi.hours * hour

/**
 * The addresses of the computers that are to be pushed, with the rights that find them. A refusal: the query of the
 * settings names what is gone.
 */
export async function findWatched({
  services,
  settings,
}: Context): Promise<{ watched: Set<string>; rights: Rights } | Refusal> {
  const rights = services.access.rightsOf('pack:assets')
  if (!rights) return services.refuse('the pack is not in service')
  const computers = await services.search.find(settings.glpi.where, rights)
  if (services.isRefusal(computers)) return services.refuse(`settings: glpi.${computers.refused}`)
  return { watched: new Set(computers.map(({ ip }) => ip)), rights }
}

/** Notes that these are due at that time; several at once, as each is on disk then. */
export async function markDue(
  ips: readonly string[],
  due: number,
  { collections: { pushes }, services: { slices } }: Context,
): Promise<void> {
  for (let from = 0; from < ips.length; from += 100) {
    await slices.pause()
    await Promise.all(
      ips.slice(from, from + 100).map(async ip => {
        const stored = await pushes.get(ip)
        await pushes.put(ip, { ...(stored?.value ?? { attempts: 0 }), due })
      }),
    )
  }
}

/** Pushes what is due until nothing is, GLPI takes nothing, or the time of a run is over. */
export async function pushDue(context: Context): Promise<void> {
  const { settings, services, collections } = context
  const { url, seconds } = settings.glpi
  if (url === '') return
  const end = performance.now() + runMilliseconds - seconds * 1000
  const outage = (await collections.outage.get('glpi'))?.value
  if (outage && outage.due > services.now()) return void services.hooks.run(pusher, outage.due)
  const watching = await findWatched(context)
  if (services.isRefusal(watching)) return services.log.warn(`nothing is pushed: ${watching.refused}`)
  const { watched, rights } = watching
  const { due, next } = await findDue(watched, context)
  if (due.length === 0) return void services.hooks.run(pusher, next)
  const serials = await readSerials(context, rights)
  const glpi = connectGlpi(settings.glpi, services.signal)
  for (let from = 0; from < due.length; from += pushesAtOnce) {
    if (performance.now() > end) break
    const batch = due.slice(from, from + pushesAtOnce)
    const problem = await pushBatch(
      batch,
      await readDocuments(
        batch.map(({ key }) => key),
        serials,
        context,
      ),
      glpi,
      context,
    )
    if (services.signal.aborted) return
    if (problem !== undefined) return recordOutage(problem, outage?.failures ?? 0, context)
    if (outage) await collections.outage.delete('glpi')
  }
  services.hooks.run(pusher, (await findDue(watched, context)).next)
}

/** Resolves to why GLPI takes nothing. */
async function pushBatch(
  batch: readonly Stored[],
  documents: ReadonlyMap<string, GlpiDocument>,
  glpi: GlpiConnection,
  context: Context,
): Promise<string | undefined> {
  const answers = await Promise.all(
    batch.map(async stored => {
      const document = documents.get(stored.key)
      const answer = document && (await glpi.push(document))
      if (answer && !context.services.signal.aborted) await record(stored, answer, context)
      return answer
    }),
  )
  return answers.find(answer => answer?.isOutage)?.problem
}

/**
 * What is due, what has waited longest first, and when something is due next. What is new is due at once; what is not
 * watched any more is forgotten.
 */
async function findDue(watched: ReadonlySet<string>, context: Context): Promise<{ due: Stored[]; next: number }> {
  const { services, collections } = context
  const now = services.now()
  const pushes = new Map<string, Stored>()
  for await (const stored of collections.pushes.all()) {
    if (watched.has(stored.key)) pushes.set(stored.key, stored)
    else await collections.pushes.delete(stored.key)
  }
  const due: Stored[] = []
  let next = now + hour
  await services.slices.forEach(watched, key => {
    const stored = pushes.get(key) ?? { key, value: { attempts: 0 }, version: 0 }
    const time = dueOf(stored.value, context)
    if (time <= now) due.push(stored)
    else next = Math.min(next, time)
  })
  const timeOf = ({ value }: Stored) => dueOf(value, context)
  return { due: await services.slices.sort(due, (one, other) => timeOf(one) - timeOf(other)), next }
}

/** What has changed while it was pushed stays due. */
async function record({ key, value, version }: Stored, { problem }: GlpiAnswer, { collections, services }: Context) {
  const now = services.now()
  const attempts = value.attempts + 1
  const pushed = value.pushed !== undefined && { pushed: value.pushed }
  const next: Push =
    problem === undefined
      ? { attempts: 0, pushed: now }
      : { attempts, due: now + delayAfter(attempts), reason: problem, ...pushed }
  await collections.pushes.put(key, next, { version })
}

async function recordOutage(reason: string, before: number, { collections, services }: Context): Promise<void> {
  const failures = before + 1
  const due = services.now() + Math.min(delayAfter(failures), longestOutageDelay)
  await collections.outage.put('glpi', { failures, due, reason })
  services.log.warn(`GLPI: ${reason}; tried again at ${new Date(due).toISOString()}`)
  services.hooks.run(pusher, due)
}

// The queue of deliveries, and their log. Both are in the store, so nothing is lost when the daemon ends.
import { createHash } from 'node:crypto'
import type { StoredDocument } from 'fleet-host'
import type { Context, Delivery, Message } from './_schemas.ts'
import { afterQuiet } from './_times.ts'

/** Entries that one delivery keeps; it counts the others. */
const mostEntries = 100
/** Deliveries in the log: the oldest ones go. */
export const mostLogged = 1000

/** Keys begin with a time of so many digits, and the digest follows. */
const [timeDigits, keyLength] = [13, 30]

/** The same for a message that comes again; in the order of the time. */
function keyOf({ time, rule, type, room, job }: Message, target: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([rule, target, type, room, job]))
    .digest('hex')
  return `${String(time).padStart(timeDigits, '0')}-${digest.slice(0, 16)}`
}

/** The key of the message to which others of the same kind are added now, or the new one. */
async function openKey(key: string, milliseconds: number, { queue, log }: Context['collections']): Promise<string> {
  const after = String(Number(key.slice(0, timeDigits)) - milliseconds + 1).padStart(timeDigits, '0')
  for (const stored of [queue, log])
    for (const { key: other } of await stored.list({ after, limit: 1000 }))
      if (other < key && other.slice(timeDigits, keyLength) === key.slice(timeDigits)) return other.slice(0, keyLength)
  return key
}

/** Queues what is not in the queue or the log yet, for each target; resolves to the keys. */
export async function enqueue(context: Context, message: Message, targets: readonly string[]): Promise<string[]> {
  const keys: string[] = []
  for (const target of targets) keys.push(await enqueueFor(context, message, target))
  return keys
}

async function enqueueFor(
  { collections, settings, services }: Context,
  message: Message,
  target: string,
): Promise<string> {
  const { queue, log } = collections
  const { until, time, entries, count, ...rest } = message
  const own = keyOf(message, target)
  const first = until === undefined ? own : await openKey(own, until - time, collections)
  let missing = entries
  for (let number = 0; ; ) {
    const key = number === 0 ? first : `${first}-${number}`
    const waiting = await queue.get(key)
    const known = waiting ?? (await log.get(key))
    if (!known) {
      const due = rest.urgent ? (until ?? services.now()) : afterQuiet(until ?? services.now(), settings.quiet)
      const others = until === undefined ? count - entries.length : 0
      const value = { ...rest, target, ...bounded(missing, missing.length + others), time, due, attempts: 0 }
      if ((await queue.put(key, value, { version: 0 })) !== undefined) return key
      continue
    }
    // What happened once is one message.
    if (until === undefined) return key
    missing = without(missing, known.value)
    if (missing.length === 0) return key
    if (waiting?.value.attempts === 0) {
      const all = bounded([...waiting.value.entries, ...missing], waiting.value.count + missing.length)
      const merged = { ...waiting.value, ...all }
      if ((await queue.put(key, merged, { version: waiting.version })) !== undefined) return key
    } else number += 1
  }
}

const bounded = (entries: Delivery['entries'], count: number) => ({ entries: entries.slice(0, mostEntries), count })

function without(entries: Delivery['entries'], { entries: known }: Delivery): Delivery['entries'] {
  const ids = new Set(known.map(({ time, text }) => `${time} ${text}`))
  return entries.filter(({ time, text }) => !ids.has(`${time} ${text}`))
}

/** The log first: a delivery that is in both is not sent again. */
export async function finish(
  { collections, services }: Pick<Context, 'collections' | 'services'>,
  { key, value }: Pick<StoredDocument<Delivery>, 'key' | 'value'>,
  state: 'sent' | 'failed',
  error?: string,
): Promise<void> {
  const { error: _, ...delivery } = value
  await collections.log.put(key, { ...delivery, state, ended: services.now(), ...(error !== undefined && { error }) })
  await collections.queue.delete(key)
}

/** Deletes the oldest ones of too many. */
export async function trimLog({ log }: Context['collections']): Promise<void> {
  const keys: string[] = []
  for await (const { key } of log.all()) keys.push(key)
  for (const key of keys.slice(0, Math.max(0, keys.length - mostLogged))) await log.delete(key)
}

// Sends what is due: to some targets at once, to each target one at a time, so that a slow receiver delays nobody else.
import { setTimeout as delay } from 'node:timers/promises'
import type { StoredDocument } from 'fleet-host'
import { type Outgoing, requestFor } from './_bodies.ts'
import { isSuccess, sendHttp } from './_http.ts'
import { mailMessages, sendMail } from './_mail.ts'
import { finish, trimLog } from './_queue.ts'
import type { Context, Delivery, Target } from './_schemas.ts'
import { sender } from './_sender.ts'
import { afterQuiet, retryDelay } from './_times.ts'

type Queued = StoredDocument<Delivery>

/** Targets that are sent to at the same time. */
const mostTargets = 16
/** A target whose attempt takes longer is not sent to again in the same run: others wait for its turn. */
const slowMilliseconds = 5000
/** No attempt begins later than so many milliseconds after the start of a run, which has 30 s. */
const startMilliseconds = 15_000
/** What becomes due while a slow receiver is waited for is found after so many milliseconds. */
const scanMilliseconds = 1000
/** Until what was sent last is tried again, when the daemon has ended meanwhile. */
const lastMilliseconds = 60_000

/** Resolves when nothing is due, or when the time of a run is over. */
export async function sendDue(context: Context): Promise<void> {
  const { services, collections } = context
  const end = performance.now() + startMilliseconds
  const mayStart = () => performance.now() < end && !services.signal.aborted
  const active = new Map<string, Promise<unknown>>()
  const slow = new Set<string>()
  let hasSent = false
  for (;;) {
    const { waiting, next } = await dueByTarget(context)
    services.hooks.run(sender, mayStart() || waiting.size === 0 ? next : services.now())
    for (const [name, queued] of mayStart() ? waiting : []) {
      if (active.has(name) || slow.has(name) || active.size >= mostTargets) continue
      hasSent = true
      active.set(
        name,
        sendAll(name, queued, context, mayStart)
          .then(isSlow => isSlow && slow.add(name))
          .finally(() => active.delete(name)),
      )
    }
    if (active.size === 0) break
    const timer = new AbortController()
    const pause = delay(scanMilliseconds, undefined, { signal: timer.signal }).catch(() => {})
    await Promise.race([...active.values(), pause]).finally(() => timer.abort())
  }
  if (hasSent) await trimLog(collections)
}

/** What is due, the oldest first, and when something is due next. */
async function dueByTarget({ collections, services }: Context) {
  const now = services.now()
  const waiting = new Map<string, Queued[]>()
  let next = now + lastMilliseconds
  for await (const queued of collections.queue.all()) {
    const { target, due } = queued.value
    if (due > now) next = Math.min(next, due)
    if (due > now) continue
    const others = waiting.get(target)
    if (others) others.push(queued)
    else waiting.set(target, [queued])
  }
  return { waiting, next }
}

/** Resolves to whether the target is slow. */
async function sendAll(name: string, queued: readonly Queued[], context: Context, mayStart: () => boolean) {
  const target = (await context.collections.targets.get(name))?.value
  const size = target?.kind === 'mail' ? mailMessages : 1
  for (let from = 0; from < queued.length && mayStart(); from += size) {
    const start = performance.now()
    await sendBatch(name, queued.slice(from, from + size), context)
    if (performance.now() - start > slowMilliseconds) return true
  }
  return false
}

async function sendBatch(name: string, batch: readonly Queued[], context: Context): Promise<void> {
  const target = (await context.collections.targets.get(name))?.value
  const claimed: Queued[] = []
  for (const queued of batch) {
    const own = await claim(queued, context)
    if (own) claimed.push(own)
  }
  if (claimed.length === 0) return
  const problem = await attempt(target, claimed, context)
  if (target && problem === gone) await disable(name, target, context)
  const isLost = !target || target.disabled !== undefined || problem === gone
  for (const queued of claimed) {
    if (problem === undefined) await finish(context, queued, 'sent')
    else if (isLost || retryDelay(queued.value.attempts) === undefined) await finish(context, queued, 'failed', problem)
    else await putBack(queued, problem, context)
  }
}

/** Counts the attempt before it begins: what a kill interrupts is tried again. Undefined for what has been sent. */
async function claim({ key, value, version }: Queued, { collections, services, settings }: Context) {
  const { queue, log } = collections
  if (await log.get(key)) {
    await queue.delete(key)
    return undefined
  }
  const attempts = value.attempts + 1
  const next = services.now() + (retryDelay(attempts) ?? lastMilliseconds)
  const claimed = { ...value, attempts, due: value.urgent ? next : afterQuiet(next, settings.quiet) }
  const stored = await queue.put(key, claimed, { version })
  return stored === undefined ? undefined : { key, value: claimed, version: stored }
}

async function putBack({ key, value, version }: Queued, error: string, { collections }: Context): Promise<void> {
  await collections.queue.put(key, { ...value, error }, { version })
}

const gone = 'the receiver replied 410: it wants no more messages'

/** Resolves to why it has failed. */
async function attempt(target: Target | undefined, claimed: readonly Queued[], context: Context) {
  const { settings, services } = context
  if (!target) return 'the target does not exist any more'
  if (target.disabled !== undefined) return `the target is disabled: ${target.disabled}`
  const messages: Outgoing[] = claimed.map(({ key, value }) => ({ id: `msg_${key}`, delivery: value }))
  try {
    if (target.kind === 'mail') {
      await sendMail(target, messages, settings, services.signal)
      return undefined
    }
    for (const message of messages) {
      const request = requestFor(target, message, services.now())
      const { status, text } = await sendHttp(request, settings, services.signal)
      if (status === 410) return gone
      if (!isSuccess(status)) return `the receiver replied ${status} ${text}`.trim()
    }
  } catch (error) {
    return shortened(error)
  }
  return undefined
}

const shortened = (error: unknown) =>
  (error instanceof Error ? error.message || error.name : String(error)).slice(0, 500)

async function disable(name: string, target: Target, { collections, services }: Context): Promise<void> {
  await collections.targets.put(name, { ...target, disabled: gone })
  services.log.warn(`target ${name} is disabled: ${gone}`)
}

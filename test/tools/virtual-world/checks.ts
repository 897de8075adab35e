// What the daemon promises, looked at when everything was mended and nothing happens any more.
import type { Part } from '../../../stores/store.ts'
import { type Answer, callHost } from './callers.ts'
import { checkEvents, nameOfEvent } from './check-events.ts'
import type { Computer } from './computers.ts'
import type { Limits } from './limits.ts'
import type { VirtualHost, World } from './world.ts'

/** One script that a caller has had sent. */
export interface Operation {
  script: string
  /** When it is scheduled for, milliseconds since 1970; 0 when it was to run at once. */
  due: number
  /** Absent while it is not answered. */
  answer: Answer | undefined
  /** When it was answered that it is cancelled, in milliseconds since 1970. */
  cancelled: number
  /** What waits is not sent to a computer that goes down. */
  waits: boolean
  /** It succeeds, as nothing happens any more. */
  isLast: boolean
}

/** Milliseconds in which what is stored as sent when its job is cancelled arrives. */
const longestWay = 1000

/** What checks look at when everything was mended, and nothing happens any more. */
export interface Ended {
  world: World
  computers: Computer[]
  operations: Operation[]
  /** What was found meanwhile. */
  others: { violations: string[] }[]
  limits: Limits
}

/** Returns a line for each promise that is broken, or not kept yet. */
export async function findViolations(ended: Ended): Promise<string[]> {
  const { computers, operations, others, limits } = ended
  const found = [...others, limits, ...computers].flatMap(({ violations }) => violations)
  for (const computer of computers) {
    const twice = computer.scripts.filter((script, index) => computer.scripts.indexOf(script) !== index)
    found.push(...twice.map(script => `${computer.addr} was sent ${script} twice`))
  }
  for (const operation of operations) found.push(...(await checkOperation(ended, operation)))
  const expected = operations.flatMap(eventsOf)
  return [...found, ...(await checkEvents(ended.world, expected)), ...(await checkLists(ended))]
}

/** What is stored with what has been acknowledged. */
function eventsOf({ answer, due }: Operation): string[] {
  const { job, id } = answer ?? { job: 0, id: 0 }
  if (due > 0) return id > 0 ? [nameOfEvent({ type: 'schedule-added', schedule: id })] : []
  return job > 0 ? [nameOfEvent({ type: 'job-finished', job })] : []
}

const isEnded = ({ state }: Part) => state !== 'queued' && state !== 'sent'

async function checkOperation(ended: Ended, operation: Operation): Promise<string[]> {
  const { script, answer, due, isLast } = operation
  if (isLast && !answer?.job) return [`${script} was not accepted: ${answer?.status}`]
  if (!answer) return []
  return due === 0 ? checkJob(ended, operation, answer.job) : checkSchedule(ended, operation, answer.id)
}

/** A schedule fires once, also when its host is gone. */
async function checkSchedule(ended: Ended, operation: Operation, id: number): Promise<string[]> {
  const { world } = ended
  const { script, due } = operation
  const host = world.hosts.find(({ isRunning }) => isRunning)
  if (id === 0 || !host) return []
  const { status, text } = await callHost(world, host, `GET /schedule/firings?id=${id}`)
  if (status !== 200) return [`GET /schedule/firings: ${status}`]
  // `as`: the answer's type is the specification's.
  const { firings } = JSON.parse(text) as { firings: { time: string; state: string; job?: number }[] }
  const [firing] = firings
  if (!firing) return [`${script}, due at ${new Date(due).toISOString()}, is not listed as fired`]
  if (firings.length > 1 || Date.parse(firing.time) !== due)
    return [`${script}, due at ${new Date(due).toISOString()}, has fired at ${firings.map(({ time }) => time).join()}`]
  return firing.job === undefined ? [] : checkJob(ended, operation, firing.job)
}

async function checkJob(
  { world, computers }: Ended,
  { script, waits, cancelled, isLast }: Operation,
  job: number,
): Promise<string[]> {
  if (job === 0) return []
  const parts = await world.database.store.jobs.parts(job, { limit: 1000 })
  if (parts.length === 0) return [`${script} was accepted as job ${job}, which does not exist`]
  // A host that is paused may be about to send it.
  const latest = longestWay + Math.max(cancelled, ...world.hosts.map(({ pausedUntil }) => pausedUntil))
  return parts.flatMap(part => {
    const computer = computers.find(({ addr }) => addr === part.client)
    const name = `${script} on ${part.client}`
    if (!isEnded(part)) return `${name} has not ended: ${part.state}`
    if (isLast && part.state !== 'success') return `${name} is ${part.state} in the end: ${part.reason}`
    if (waits && computer?.lost.includes(script)) return `${name} was sent while that went down`
    if (!computer?.wasSilent && (computer?.times.get(script) ?? 0) > latest)
      return `${name} was sent when it had been cancelled`
    const hasRun = computer?.scripts.includes(script)
    if (part.state === 'success' && !hasRun) return `${name} is a success, and was never sent`
    if ((part.state === 'expired' || part.state === 'cancelled') && hasRun)
      return `${name} is ${part.state}, and has run`
    return []
  })
}

/** Each host lists exactly the computers whose agents are connected. */
async function checkLists({ world, computers, limits }: Ended): Promise<string[]> {
  const connected = computers.flatMap(({ socket, addr }) => (socket ? addr : [])).sort()
  const found: string[] = []
  for (const [host, listed] of await readLists(world)) {
    if (listed.sort().join() !== connected.join())
      found.push(`${host.name} lists ${listed.join(' ')} of ${connected.join(' ')}`)
    else found.push(...(await limits.checkList(host, connected)))
  }
  return found
}

/** No host lists these. */
export async function findGone(world: World, gone: readonly Computer[]): Promise<string[]> {
  return (await readLists(world)).flatMap(([{ name }, listed]) =>
    gone.filter(({ addr }) => listed.includes(addr)).map(({ addr }) => `${name} lists ${addr}, which has gone`),
  )
}

/** What each host lists that stays. */
async function readLists(world: World): Promise<[VirtualHost, string[]][]> {
  const lists: [VirtualHost, string[]][] = []
  for (const host of world.hosts.filter(({ isLost }) => !isLost)) {
    const { status, text } = await callHost(world, host, 'GET /clients')
    // `as`: the answer's type is the specification's.
    const listed = status === 200 ? (JSON.parse(text).clients as { addr: string }[]) : []
    lists.push([host, listed.map(({ addr }) => addr)])
  }
  return lists
}

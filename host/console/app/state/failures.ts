// The failures of computers that nobody has seen: the daemon lists them, events only say when to read the list again.
import { batch, signal } from '@preact/signals'
import type { FailureAnswer, FailuresAnswer } from '../../../contract/answers.ts'
import type { StreamEvent } from '../../../contract/fleet-events.ts'
import { get, post } from '../api/request.ts'
import { groupBy } from '../parts/group-by.ts'
import { computers, noFailures, pendingClients } from './lab.ts'
import { report } from './notices.ts'
import { change } from './pending-changes.ts'

type Failures = ReadonlyMap<string, readonly FailureAnswer[]>

/** By address. */
let failures: Failures = new Map()
let isReading = false
let isStale = false

/** A job of which something has failed, or was stopped, on so many computers. */
export interface FailedJob extends Pick<FailureAnswer, 'job' | 'command' | 'time' | 'stopped'> {
  n: number
}

/** The newest first. */
export const failedJobs = signal<readonly FailedJob[]>([])

/** Milliseconds in which events are gathered before the list is read, and until it is asked for again. */
const gatherTime = 300
const retryTime = 1000
let timer: ReturnType<typeof setTimeout> | undefined

export const failuresOf = (ip: string): readonly FailureAnswer[] => failures.get(ip) ?? noFailures

/** To be called when the stream is open. */
export async function loadFailures(): Promise<void> {
  isStale = true
  if (isReading) return
  isReading = true
  while (isStale) {
    isStale = false
    const next = await readPages()
    if (next) show(next)
  }
  isReading = false
}

/** An end matters where something has failed, also when that is only being read. */
export function followFailures(event: StreamEvent): void {
  const state = event.type === 'job-part' ? event.state : undefined
  const isEnd = state === 'success' || event.type === 'computer-removed'
  const isOver = isEnd && (isReading || timer !== undefined || event.clients.some(ip => failures.has(ip)))
  if (state === 'failure' || isOver) readLater(gatherTime)
}

export async function markSeen(clients: readonly string[]): Promise<void> {
  report(await post('/failure/seen', { clients }))
}

function readLater(wait: number): void {
  timer ??= setTimeout(() => {
    timer = undefined
    void loadFailures()
  }, wait)
}

/** Undefined when it could not be read: what is known stays. */
async function readPages(): Promise<Failures | undefined> {
  const found = new Map<string, FailureAnswer[]>()
  let after: string | undefined = ''
  while (after !== undefined) {
    const reply: Awaited<ReturnType<typeof readPage>> = await readPage(after)
    if (!reply.ok) {
      if (reply.status === 0) readLater(retryTime)
      return undefined
    }
    for (const failure of reply.value?.failures ?? []) {
      const known = found.get(failure.client)
      if (known) known.push(failure)
      else found.set(failure.client, [failure])
    }
    after = reply.value?.next
  }
  return found
}

const readPage = (after: string) => get<FailuresAnswer>(`/failures?after=${encodeURIComponent(after)}`)

function show(next: Failures): void {
  const before = failures
  failures = next
  const changed = new Set([...before.keys(), ...next.keys()])
  batch(() => {
    failedJobs.value = jobsOf([...next.values()].flat())
    for (const ip of changed) {
      const computer = computers.peek().get(ip) ?? pendingClients.peek().find(each => each.ip === ip)
      if (computer) change(computer, { failures: failuresOf(ip) })
    }
  })
}

function jobsOf(all: readonly FailureAnswer[]): FailedJob[] {
  const groups = groupBy(all, ({ job, stopped }) => `${job} ${stopped}`)
  const jobs = [...groups.values()].flatMap(each => each.slice(0, 1).map(first => ({ ...first, n: each.length })))
  return jobs.sort((a, b) => b.job - a.job)
}

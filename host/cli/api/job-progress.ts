// Follows a job until nothing of it waits any more, and tells what became of it for each client.
import { setTimeout as wait } from 'node:timers/promises'
import type { PartCounts, PartState } from '../../../stores/store.ts'
import type { CliContext } from '../context.ts'
import { type Column, counted, table } from '../terminal/table.ts'
import { paint, stateColours } from '../terminal/terminal.ts'
import type { ApiClient } from './client.ts'
import { readSeats, type Seat } from './scopes.ts'

/** A job as `GET /jobs` words it. */
export interface JobEntry {
  id: number
  /** ISO time. */
  created: string
  origin: string
  name: string
  commands: string[]
  counts: PartCounts
}

export interface PartEntry {
  client: string
  step: number
  command: string
  state: PartState
  reason?: string
  queued?: string
  sent?: string
  ended?: string
}

export type JobWithParts = JobEntry & { parts: PartEntry[]; next?: number }

/** Of the parts none is wanted, only how many there are in each state. */
const beyondAll = 999_999_999

const shortest = 100
const longest = 1000

/** Resolves when all parts have ended. */
export async function untilEnded({ connect, progress, complain }: CliContext, id: number): Promise<void> {
  const { call } = connect()
  const started = Date.now()
  const leave = () => {
    progress('')
    complain(`job ${id} goes on; fleet job ${id} tells how it ends`)
    process.exit(130)
  }
  process.once('SIGINT', leave)
  try {
    for (let pause = shortest; ; pause = Math.min(longest, pause * 1.5)) {
      const { body: job } = await call<JobEntry>(`GET /jobs/${id}?after=${beyondAll}`)
      if (isEnded(job.counts)) return
      progress(progressLine(job, Math.round((Date.now() - started) / 1000)))
      await wait(pause)
    }
  } finally {
    process.off('SIGINT', leave)
    progress('')
  }
}

const isEnded = ({ queued, sent }: PartCounts) => queued + sent === 0

function progressLine({ id, name, counts }: JobEntry, seconds: number): string {
  const total = sum(counts)
  const ended = total - counts.queued - counts.sent
  const filled = Math.floor((ended / Math.max(1, total)) * barLength)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}`
  const rest = told(counts, ['failure', 'skipped', 'sent', 'queued'])
  return `job ${id} ${name}  ${bar} ${ended}/${total}  ${rest.length > 0 ? `${rest.join(', ')}  ` : ''}${seconds} s`
}

const barLength = 24

const sum = (counts: PartCounts) => Object.values(counts).reduce((total, count) => total + count, 0)

const told = (counts: PartCounts, states: PartState[]) =>
  states.filter(state => counts[state] > 0).map(state => `${counts[state]} ${state}`)

/** All parts, out of as many answers as it takes. */
export async function readJob({ call }: ApiClient, id: number | string): Promise<JobWithParts> {
  const { body: job } = await call<JobWithParts>(`GET /jobs/${id}`)
  const { next: first, parts, ...rest } = job
  for (let next = first; next !== undefined; ) {
    const { body } = await call<JobWithParts>(`GET /jobs/${id}?after=${next}`)
    parts.push(...body.parts)
    next = body.next
  }
  return { ...rest, parts }
}

/** Whether every client succeeded with every step. */
export const isSuccess = ({ counts }: JobEntry): boolean => counts.success === sum(counts)

/** A line for each part with its reason, and how many there are of each outcome. */
export async function printOutcomes({ connect, print }: CliContext, job: JobWithParts): Promise<void> {
  const seats = await readSeats(connect())
  print(table(job.parts, outcomeColumns(seats, job.commands.length > 1)))
  print(summary(job))
}

export function summary({ id, name, counts }: JobEntry): string {
  const states: PartState[] = ['success', 'failure', 'skipped', 'expired', 'cancelled', 'sent', 'queued']
  const outcomes = states
    .filter(state => counts[state] > 0)
    .map(state => paint(stateColours[state], `${counts[state]} ${state}`))
  return `job ${id} ${name}: ${outcomes.length === 0 ? counted(0, 'client') : outcomes.join(', ')}`
}

function outcomeColumns(seats: Map<string, Seat>, steps: boolean): Column<PartEntry>[] {
  return [
    { title: 'client', of: ({ client }) => client },
    { title: 'name', of: ({ client }) => seats.get(client)?.name },
    ...(steps ? [{ title: 'step', of: ({ step, command }: PartEntry) => `${step + 1} ${command}` }] : []),
    { title: 'state', of: ({ state }) => state, colour: ({ state }) => stateColours[state] },
    { title: 'time', of: duration, right: true },
    { title: 'reason', of: ({ reason }) => reason },
  ]
}

function duration({ sent, ended }: PartEntry): string {
  if (sent === undefined || ended === undefined) return ''
  return `${((Date.parse(ended) - Date.parse(sent)) / 1000).toFixed(1)} s`
}

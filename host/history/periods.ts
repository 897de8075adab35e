// The times that a reader of the history asks for, and their steps.
import { refuse } from '../contract/refusal.ts'
import type { Refusal } from '../contract/services.ts'
import { day, hour, tick } from './history-documents.ts'

/** In milliseconds since 1970; `to` is not included. */
export interface Period {
  from: number
  to: number
}

export type Step = '5min' | 'hour' | 'day'

const lengths: Record<Step, number> = { '5min': tick, hour, day }

/** Of what is asked for without a step. */
const [mostDaysByTick, mostDaysByHour] = [2, 62]

/** The maximum of the option `limits.history_days`: nothing is older. */
const mostDays = 3650

/** The end is now at the latest. */
export function readPeriod(request: { from?: string; to?: string }, days: number, now: number): Period | Refusal {
  const to = request.to === undefined ? now : Date.parse(request.to)
  if (Number.isNaN(to)) return refuse(`to: expected an ISO time or a day, got ${request.to}`)
  const from = request.from === undefined ? Math.min(to, now) - days * day : Date.parse(request.from)
  if (Number.isNaN(from)) return refuse(`from: expected an ISO time or a day, got ${request.from}`)
  const oldest = now - mostDays * day
  if (from >= to) return refuse('from, to: expected times in their order, got others')
  return { from: Math.max(from, oldest), to: Math.min(to, now) }
}

export function stepOf({ from, to }: Period): Step {
  const days = (to - from) / day
  return days <= mostDaysByTick ? '5min' : days <= mostDaysByHour ? 'hour' : 'day'
}

/** About how many steps there are. */
export const countSteps = ({ from, to }: Period, step: Step): number => Math.max(0, (to - from) / lengths[step])

/** When each step begins; days in the time zone of the daemon. */
export function stepsOf({ from, to }: Period, step: Step): number[] {
  const times: number[] = []
  for (let time = startOf(from, step); time < to; time = nextOf(time, step)) times.push(time)
  return times
}

const startOf = (time: number, step: Step): number =>
  step === 'day' ? new Date(time).setHours(0, 0, 0, 0) : Math.floor(time / lengths[step]) * lengths[step]

function nextOf(time: number, step: Step): number {
  const date = new Date(time)
  return step === 'day' ? date.setDate(date.getDate() + 1) : time + lengths[step]
}

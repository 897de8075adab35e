// In which times a computer was in which state, from the changes that the daemon has recorded.
import type { ClientHistoryAnswer } from '../../../../contract/answers.ts'
import type { conditionStyles } from '../../parts/chart-scale.ts'

/** In milliseconds since 1970. */
export interface Stretch {
  from: number
  to: number
  state: ClientHistoryAnswer['changes'][number]['state']
  /** As in the counts of rooms. */
  style: (typeof conditionStyles)[number]
  user: string | undefined
}

/** The oldest first; without the gaps, in which nothing is known. */
export function stretchesOf({ changes, gaps, to }: ClientHistoryAnswer): Stretch[] {
  const ends = gaps.map(gap => Date.parse(gap.from))
  return changes.flatMap(({ time, state, in_use, user }, at) => {
    const from = Date.parse(time)
    const next = Date.parse(changes[at + 1]?.time ?? to)
    const gap = ends.find(each => from <= each && each < next)
    const until = gap ?? next
    return until > from ? [{ from, to: until, state, style: styleOf(state, in_use), user }] : []
  })
}

function styleOf(state: Stretch['state'], isInUse: boolean): Stretch['style'] {
  if (state === 'off' || state === 'waking' || state === 'busy') return state
  return isInUse ? 'in_use' : 'free'
}

/** Milliseconds; shorter ones cannot be seen among the hours of a day. */
const shortest = 60_000

interface Day {
  start: number
  /** Of the browser's time zone: 23 to 25 hours. */
  length: number
  parts: Stretch[]
}

/** The newest day first. */
export function stretchesByDay(stretches: readonly Stretch[]): Day[] {
  const days: Day[] = []
  const last = stretches.at(-1)?.to ?? 0
  const day = new Date(stretches[0]?.from ?? last)
  for (day.setHours(0, 0, 0, 0); day.getTime() < last; ) {
    const start = day.getTime()
    const end = day.setDate(day.getDate() + 1)
    const parts = stretches
      .filter(({ from, to }) => from < end && to > start)
      .map(each => ({ ...each, from: Math.max(each.from, start), to: Math.min(each.to, end) }))
      .filter(({ from, to }) => to - from >= shortest)
    days.unshift({ start, length: end - start, parts })
  }
  return days
}

// When a message is sent: quiet hours, and the times of further attempts.
const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** As the specification of Standard Webhooks recommends. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** Milliseconds until the next attempt after so many; undefined after the last one. `random`: 0 to 1. */
export function retryDelay(attempts: number, random = Math.random()): number | undefined {
  const delay = delays[attempts - 1]
  // Deliveries that have failed together are not repeated together.
  return delay === undefined ? undefined : Math.round(delay * (1 + random / 10))
}

interface Quiet {
  from: string
  until: string
}

export function quietProblem({ from, until }: Quiet): string | undefined {
  for (const [key, text] of Object.entries({ from, until })) {
    if (text !== '' && minutesOf(text) === undefined) return `quiet.${key}: expected a time such as 22:00, got ${text}`
  }
  return (from === '') === (until === '') ? undefined : 'quiet: expected both times, or none'
}

/** The same time, or the end of the quiet hours that it is in. */
export function afterQuiet(time: number, { from, until }: Quiet): number {
  const [start, end] = [minutesOf(from), minutesOf(until)]
  if (start === undefined || end === undefined || start === end) return time
  const date = new Date(time)
  const now = date.getHours() * 60 + date.getMinutes()
  const isQuiet = start < end ? now >= start && now < end : now >= start || now < end
  if (!isQuiet) return time
  // By the calendar, as days have 23 to 25 hours.
  return date.setHours(0, now < end ? end : end + 24 * 60, 0, 0)
}

function minutesOf(text: string): number | undefined {
  const [hours = Number.NaN, minutes = Number.NaN] = text.split(':').map(Number)
  return hours < 24 && minutes < 60 ? hours * 60 + minutes : undefined
}

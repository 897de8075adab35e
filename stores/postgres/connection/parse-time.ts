// Reads times as the server writes them with the settings of the connections: 2026-01-31 08:00:00.123+00.

/** The Gregorian calendar repeats itself: a `Date` does not have the last years of the server. */
const [cycleYears, cycleDays] = [400, 146_097]
const day = 86_400_000

/** The last minute that was read: the times of a list are near each other. */
let lastMinute = ''
let lastStart = 0

/** Milliseconds since 1970. */
export function parseTime(text: string): number {
  const at = text.lastIndexOf(':')
  const minute = text.slice(0, at)
  if (minute !== lastMinute) {
    lastStart = startOf(minute)
    lastMinute = minute
  }
  return lastStart + Math.round(Number(text.slice(at + 1, -3)) * 1000)
}

function startOf(minute: string): number {
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0] = minute.split(/[- :]/).map(Number)
  const cycles = Math.floor((year - 1970) / cycleYears)
  return Date.UTC(year - cycles * cycleYears, month - 1, date, hours, minutes) + cycles * cycleDays * day
}

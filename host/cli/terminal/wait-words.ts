// Why a queued part waits, in words.
import type { PartWait } from '../../contract/answers.ts'

/** `7th for a slot, about 20 min`, `waits for the logout`. */
export function formatWait({ for: reason, place, seconds }: PartWait): string {
  if (reason === 'logout') return 'waits for the logout'
  const what = reason === 'slot' ? 'for a slot' : 'for the batch'
  const time = seconds === undefined ? '' : `, about ${formatMinutes(seconds)}`
  return `${place === undefined ? 'waits' : ordinal(place)} ${what}${time}`
}

function formatMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

function ordinal(place: number): string {
  const isTeen = Math.floor(place / 10) % 10 === 1
  const ending = isTeen ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[place % 10]
  return `${place}${ending ?? 'th'}`
}

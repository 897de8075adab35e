// How far the copy of an image is, as a bar with numbers, and why a queued part waits, in words.
import type { CopyProgress, PartWait } from '../../contract/answers.ts'
import { formatClock } from './text-table.ts'

const barLength = 20

/** `█████░░░░░` */
export function formatBar(percent: number, length = barLength): string {
  const filled = Math.floor((Math.min(100, Math.max(0, percent)) / 100) * length)
  return '█'.repeat(filled) + '░'.repeat(length - filled)
}

/** `█████████░░░░░░░░░░░  45 %  85 MB/s  1:30`: what is not known is left out. */
export function formatProgress({ percent, rate, remaining }: CopyProgress, length = barLength): string {
  return [
    `${formatBar(percent, length)} ${String(Math.floor(percent)).padStart(3)} %`,
    ...(rate === undefined ? [] : [formatRate(rate)]),
    ...(remaining === undefined ? [] : [formatSeconds(remaining)]),
  ].join('  ')
}

/** In decimal units, as disks and networks are measured. */
function formatRate(rate: number): string {
  const megabytes = rate / 1e6
  return `${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} MB/s`
}

/** `1:30`, `2:05:00` */
export function formatSeconds(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`
}

/** `7th for a slot, about 20 min`, `off, woken 05:40, until 06:30`. */
export function formatWait({ for: reason, place, seconds, woken, until }: PartWait): string {
  return [
    placeWords[reason] ? `${place === undefined ? 'waits' : ordinal(place)} ${placeWords[reason]}` : waitWords[reason],
    ...(seconds === undefined ? [] : [`about ${formatMinutes(seconds)}`]),
    ...(woken === undefined ? [] : [`woken ${formatClock(woken)}`]),
    ...(until === undefined ? [] : [`until ${formatClock(until)}`]),
  ].join(', ')
}

const placeWords: Partial<Record<PartWait['for'], string>> = { slot: 'for a slot', batch: 'for the batch' }

const waitWords: Partial<Record<PartWait['for'], string>> = {
  off: 'off',
  busy: 'busy',
  step: 'after the step before',
  logout: 'waits for the logout',
}

function formatMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

function ordinal(position: number): string {
  const isTeen = Math.floor(position / 10) % 10 === 1
  const ending = isTeen ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[position % 10]
  return `${position}${ending ?? 'th'}`
}

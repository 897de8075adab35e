// How far the copies of images are: from events, and whether that has changed.
import type { CopyProgress, FleetEvent } from '../../../contract/answers.ts'

/** The progress that an event reports. */
export function progressIn({ percent, rate, remaining }: FleetEvent): CopyProgress | undefined {
  if (typeof percent !== 'number') return undefined
  return {
    percent,
    ...(typeof rate === 'number' && { rate }),
    ...(typeof remaining === 'number' && { remaining }),
  }
}

export const isSameProgress = (one: CopyProgress | undefined, other: CopyProgress | undefined): boolean =>
  one?.percent === other?.percent && one?.rate === other?.rate && one?.remaining === other?.remaining

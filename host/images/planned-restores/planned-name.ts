// The names of planned restores: their image, and when they start.

/** `2026-11-23 22:00` in local time, as Swedes write it. */
const minuteFormat = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short' })

export const plannedName = (image: string, starts: Date): string => `${image} ${minuteFormat.format(starts)}`

/** With the time at which it starts now; without one when it no longer has a single one. */
export const movedName = (name: string, starts: Date | undefined): string =>
  name.replace(/ \d{4}-\d\d-\d\d \d\d:\d\d(?=( \(\d+\))?$)/, starts ? ` ${minuteFormat.format(starts)}` : '')

// Times of the day in local time of the daemon.

/** The first time after `now` when clocks show `text`, such as `22:00`. */
export function nextTimeOfDay(text: string, now: Date): Date {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  const time = new Date(now)
  time.setHours(hours, minutes, 0, 0)
  if (time <= now) time.setDate(time.getDate() + 1)
  return time
}

/** `2026-11-23 22:00`, for names. */
export function minuteText(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}

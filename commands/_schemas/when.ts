// When a schedule fires, in examples and in answers.
import { described, integer, integers } from './objects.ts'

/** Monday to Friday at 22:30, in all years and months. */
export const weekdayEvenings = {
  years: 4294967295,
  months: 4095,
  weeks: 0,
  week_days: 31,
  days: 0,
  hours: 1024,
  am_pm: 1,
  minutes: 30,
}

export const whenFields = integers(weekdayEvenings, described(integer, 'as in `schedule/create`'))

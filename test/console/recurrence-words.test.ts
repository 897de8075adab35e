// The editor of schedules: masks to words and back.
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import {
  bit,
  dateOf,
  everyEvening,
  full,
  isNever,
  kindOf,
  kinds,
  timesOf,
  type When,
  type Words,
  withDate,
  withKind,
  withTime,
  wordsOf,
} from '../../host/contract/recurrence-words.ts'

function wordsFor(language: string): Words {
  const file = new URL(`../../host/console/app/language/${language}.json`, import.meta.url)
  const texts: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
  return {
    language,
    t: (key, values = {}) => (texts[key] ?? key).replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name])),
  }
}

const english = wordsFor('en')
const none = { ...everyEvening, days: 0 }

const cases: [Partial<When>, string][] = [
  [{ days: full.days }, 'every day at 22:30'],
  [{ week_days: full.week_days }, 'every day at 22:30'],
  [{ week_days: bit(4) }, 'every Friday at 22:30'],
  [{ week_days: 31 }, 'from Monday to Friday at 22:30'],
  [{ week_days: bit(0) + bit(2) }, 'every Monday and Wednesday at 22:30'],
  [{ days: 1 }, 'on the 1st of each month at 22:30'],
  [{ days: 1 + bit(1) + bit(10) + bit(22) }, 'on the 1st, the 2nd, the 11th, and the 23rd of each month at 22:30'],
  [{ days: bit(30), years: bit(31) }, 'on the 31st of each month at 22:30, in 2041'],
  [{ weeks: 1 }, 'every day of the first week of the month at 22:30'],
  [
    { weeks: bit(5), months: bit(0) + bit(8) },
    'every day of the last week of the month at 22:30, in January and September',
  ],
  [{ days: 1, week_days: bit(4) }, 'on the 1st of each month and every Friday at 22:30'],
  [{ week_days: bit(4), hours: bit(8) + bit(9), am_pm: 0, minutes: 5 }, 'every Friday at 08:05 and 09:05'],
  [{ days: full.days, years: bit(16) + bit(17) + bit(18) }, 'every day at 22:30, from 2026 to 2028'],
  [{ days: bit(26), months: bit(10), years: bit(16) }, 'once, on Friday, November 27, 2026 at 22:30'],
  [
    { days: bit(26), months: bit(10), years: bit(16), week_days: 1 },
    'on the 27th of each month and every Monday at 22:30, in November, in 2026',
  ],
  [{}, 'never'],
  [{ days: 1, hours: 0 }, 'never'],
  [{ days: 1, years: 0 }, 'never'],
]

const test = suite('recurrence in words')

for (const [masks, text] of cases) {
  test(`the masks ${JSON.stringify(masks)} are "${text}"`, () => {
    is(wordsOf({ ...none, ...masks }, english), text)
  })
}

test('words are in the language of the page', () => {
  is(wordsOf({ ...none, week_days: bit(4) }, wordsFor('es')), 'cada viernes a las 22:30')
})

test('each way to choose days gives masks of that way', () => {
  const today = new Date(2026, 10, 27)
  for (const kind of kinds.filter(each => each !== 'mixed')) is(kindOf(withKind(everyEvening, kind, today)), kind)
  is(withKind(everyEvening, 'weekly', today).week_days, bit(4))
  is(kindOf(withKind(everyEvening, 'mixed', today)), 'mixed')
  const fridays = withKind(everyEvening, 'weekly', today)
  equal(withKind(fridays, 'mixed', today), fridays)
})

test('what repeats is not left with the month and year of a single date', () => {
  const once = withDate(everyEvening, '2026-11-27')
  const { years, months } = withKind(once, 'weekly', new Date())
  equal([years, months], [full.years, full.months])
  const inMay = { ...everyEvening, months: bit(4) }
  is(withKind(inMay, 'weekly', new Date()).months, bit(4))
})

test('dates and times come back as they were chosen', () => {
  is(dateOf(withDate(everyEvening, '2041-12-31')), '2041-12-31')
  is(withDate(everyEvening, '2042-01-01'), everyEvening)
  is(withDate(everyEvening, ''), everyEvening)
  for (const time of ['00:00', '00:59', '11:30', '12:00', '23:59']) {
    equal(timesOf(withTime(everyEvening, time)), [time])
  }
  is(withTime(everyEvening, ''), everyEvening)
})

test('a time that does not exist never comes', () => {
  is(isNever({ ...everyEvening, minutes: 60 }), true)
  is(isNever({ ...everyEvening, am_pm: 2 }), true)
  is(isNever(everyEvening), false)
})

test.run()

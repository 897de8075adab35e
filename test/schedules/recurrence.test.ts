// The calendar alone: masks against a second, naive enumeration, and by hand the nights when the clock changes.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { masksOf, nextFiring } from '../../host/schedules/recurrence.ts'
import type { Masks } from '../../stores/types.ts'

const minute = 60_000
const day = 1440 * minute

const none: Masks = { years: 0, months: 0, weeks: 0, week_days: 0, days: 0, hours: 0, am_pm: 0, minutes: 0 }
const everyDay: Masks = { ...none, years: 2 ** 32 - 1, months: 4095, days: 2 ** 31 - 1 }
const bits = (...indices: number[]) => indices.reduce((mask, index) => mask + 2 ** index, 0)
const year = (...years: number[]) => bits(...years.map(one => one - 2010))
const daily = (time: string): Masks => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return { ...everyDay, hours: bits(hours % 12), am_pm: hours < 12 ? 0 : 1, minutes }
}

/** Node reads the variable anew whenever it is set. */
function inZone(zone: string): void {
  process.env.TZ = zone
}

/** The next firings, in UTC; seconds show only if there are any. */
function firings(masks: Masks, after: string, count: number): string[] {
  const found: string[] = []
  for (let at = nextFiring(masks, new Date(after)); at && found.length < count; at = nextFiring(masks, at)) {
    found.push(at.toISOString().replace(':00.000Z', 'Z'))
  }
  return found
}

const absent = suite('masks of an instant')

absent('one bit each for year, month, day and hour, the minute, no weeks and no week days', () => {
  inZone('Europe/Madrid')
  equal(masksOf(new Date('2026-10-05T20:07:42Z')), {
    years: 65_536,
    months: 512,
    weeks: 0,
    week_days: 0,
    days: 16,
    hours: 1024,
    am_pm: 1,
    minutes: 7,
  })
})

absent('the hour counts modulo 12: midnight and noon have bit 0', () => {
  inZone('UTC')
  const halves = ['00:00', '11:59', '12:00', '23:59'].map(time => masksOf(new Date(`2026-01-31T${time}Z`)))
  equal(
    halves.map(({ hours, am_pm }) => [hours, am_pm]),
    [
      [1, 0],
      [2048, 0],
      [1, 1],
      [2048, 1],
    ],
  )
  is(halves[0]?.days, 2 ** 30)
})

absent('2041 is the last bit, unsigned; no other year borrows a bit', () => {
  inZone('UTC')
  const years = [2009, 2010, 2025, 2041, 2042, 2073].map(one => masksOf(new Date(Date.UTC(one, 6, 1))).years)
  equal(years, [0, 1, 32_768, 2_147_483_648, 0, 0])
})

absent('they fire at the minute that they were made of, and never again', () => {
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
    inZone(zone)
    const masks = masksOf(new Date('2031-08-31T18:31:59.999Z'))
    equal(firings(masks, '2010-01-01T12:00:00Z', 2), ['2031-08-31T18:31Z'])
  }
})

absent.run()

const chosen = suite('what is chosen')

chosen('the next firing is later than the instant it is asked for', () => {
  inZone('UTC')
  const masks = daily('06:30')
  const next = (after: string) => nextFiring(masks, new Date(after))?.toISOString()
  is(next('2026-03-01T06:29:59.999Z'), '2026-03-01T06:30:00.000Z')
  is(next('2026-03-01T06:30:00.000Z'), '2026-03-02T06:30:00.000Z')
  is(next('2026-03-01T06:30:00.001Z'), '2026-03-02T06:30:00.000Z')
})

chosen('each chosen hour of the half of the day, at the minute', () => {
  inZone('UTC')
  equal(firings({ ...everyDay, hours: bits(0, 3, 11), am_pm: 1, minutes: 59 }, '2026-12-31T12:00:00Z', 4), [
    '2026-12-31T12:59Z',
    '2026-12-31T15:59Z',
    '2026-12-31T23:59Z',
    '2027-01-01T12:59Z',
  ])
})

chosen('years, months, hours or days that are empty mean never', () => {
  inZone('UTC')
  const all = daily('06:30')
  for (const key of ['years', 'months', 'hours', 'days'] as const) {
    equal(firings({ ...all, [key]: 0 }, '2026-01-01T00:00:00Z', 1), [])
  }
  equal(firings(none, '2026-01-01T00:00:00Z', 1), [])
})

chosen('days, week days and weeks are united, and a day chosen twice fires once', () => {
  inZone('UTC')
  // September 2026 begins on a Tuesday: its second week is the 6th to the 12th, its Mondays the 7th, 14th, 21st, 28th.
  const masks = { ...daily('06:00'), years: year(2026), months: bits(8), days: bits(6, 29) }
  const united = firings({ ...masks, week_days: bits(0), weeks: bits(1) }, '2026-01-01T00:00:00Z', 99)
  equal(
    united.map(at => Number(at.slice(8, 10))),
    [6, 7, 8, 9, 10, 11, 12, 14, 21, 28, 30],
  )
})

chosen('week days begin with Monday', () => {
  inZone('UTC')
  const weekDays = [0, 1, 2, 3, 4, 5, 6].map(index => {
    const [at = ''] = firings({ ...daily('06:00'), days: 0, week_days: bits(index) }, '2026-06-01T00:00:00Z', 1)
    return new Date(at).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' })
  })
  equal(weekDays, ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
})

// A month's first weekday and length decide its weeks. August 2026 begins on a Saturday and has six of them.
const monthsWeeks: Record<string, [month: string, weeks: number, days: string]> = {
  'the first week ends on the first Saturday': ['2026-08', bits(0), '1'],
  'the second follows it, from Sunday to Saturday': ['2026-08', bits(1), '2 3 4 5 6 7 8'],
  'the fifth of six weeks is not the last': ['2026-08', bits(4), '23 24 25 26 27 28 29'],
  'the last of six weeks has no other bit': ['2026-08', bits(5), '30 31'],
  'the last of five weeks is the fifth': ['2026-09', bits(5), '27 28 29 30'],
  'the fifth of five weeks': ['2026-09', bits(4), '27 28 29 30'],
  'the last of four weeks is the fourth': ['2026-02', bits(5), '22 23 24 25 26 27 28'],
  'a month of four weeks has no fifth': ['2026-02', bits(4), ''],
  'the last week of a February in a leap year': ['2032-02', bits(5), '29'],
}

for (const [name, [month, weeks, days]] of Object.entries(monthsWeeks)) {
  chosen(name, () => {
    inZone('America/New_York')
    const [years = 0, months = 0] = month.split('-').map(Number)
    const masks = { ...daily('18:00'), years: year(years), months: bits(months - 1), days: 0, weeks }
    const found = firings(masks, '2010-01-01T12:00:00Z', 99)
    is(found.map(at => Number(at.slice(8, 10))).join(' '), days)
  })
}

chosen('29 February comes in leap years only', () => {
  inZone('Europe/Madrid')
  const masks = { ...daily('00:00'), months: bits(1), days: bits(28) }
  equal(
    firings(masks, '2010-06-01T00:00:00Z', 99),
    [2012, 2016, 2020, 2024, 2028, 2032, 2036, 2040].map(one => `${one}-02-28T23:00Z`),
  )
  equal(firings({ ...masks, years: year(2027) }, '2010-06-01T00:00:00Z', 1), [])
})

chosen('30 February and 31 April never come, however many years are chosen', () => {
  inZone('UTC')
  equal(firings({ ...daily('06:00'), months: bits(1), days: bits(29, 30) }, '2010-01-01T00:00:00Z', 1), [])
  equal(firings({ ...daily('06:00'), months: bits(3), days: bits(30) }, '2010-01-01T00:00:00Z', 1), [])
})

chosen('years from bit 16 on, the last being 2041', () => {
  inZone('UTC')
  const masks = { ...daily('12:00'), years: year(2025, 2026, 2040, 2041), months: bits(6), days: bits(0) }
  equal(firings(masks, '2025-12-31T00:00:00Z', 99), ['2026-07-01T12:00Z', '2040-07-01T12:00Z', '2041-07-01T12:00Z'])
  equal(firings(daily('23:59'), '2041-12-31T23:00:00Z', 99), ['2041-12-31T23:59Z'])
  equal(firings({ ...masks, years: year(2025) }, '2026-01-01T00:00:00Z', 1), [])
})

chosen('before 2010 the first year is ahead', () => {
  inZone('UTC')
  equal(firings(daily('00:00'), '1999-05-05T00:00:00Z', 1), ['2010-01-01T00:00Z'])
})

chosen('the turn of the year is the local one', () => {
  inZone('Pacific/Auckland')
  const masks = { ...daily('00:00'), years: year(2027), months: bits(0), days: bits(0) }
  equal(firings(masks, '2026-12-31T10:59:59Z', 2), ['2026-12-31T11:00Z'])
  equal(firings(daily('23:30'), '2026-12-31T10:30:00Z', 1), ['2027-01-01T10:30Z'])
})

chosen('bits and numbers out of range choose nothing', () => {
  inZone('Europe/Madrid')
  const all = daily('06:00')
  const beyond: Partial<Masks>[] = [
    { years: 2 ** 32 },
    { months: bits(12, 31) },
    { days: bits(31) },
    { days: 0, week_days: bits(7, 31) },
    { days: 0, weeks: bits(6, 31) },
    { hours: bits(12, 23, 31) },
    { am_pm: 2 },
    { am_pm: 2 ** 31 },
    { minutes: 60 },
    { minutes: 2 ** 53 },
  ]
  for (const masks of beyond) equal(firings({ ...all, ...masks }, '2026-01-01T00:00:00Z', 1), [])
  is(nextFiring(all, new Date(Number.NaN)), undefined)
})

chosen.run()

const nights = suite('daylight saving')

/** What daily masks fire, by their local time, from the noon before a night on. */
interface Night {
  zone: string
  after: string
  at: Record<string, string[]>
}

// Each list begins before the change and ends after it: nothing fires twice and nothing is left out.
const skipping: Night[] = [
  {
    zone: 'Europe/Madrid', // 29 March 2026, 02:00 becomes 03:00
    after: '2026-03-28T11:00:00Z',
    at: {
      '01:59': ['2026-03-29T00:59Z', '2026-03-29T23:59Z'],
      '02:00': ['2026-03-29T01:00Z', '2026-03-30T00:00Z'],
      '02:30': ['2026-03-29T01:00Z', '2026-03-30T00:30Z'],
      '03:00': ['2026-03-29T01:00Z', '2026-03-30T01:00Z'],
      '03:30': ['2026-03-29T01:30Z', '2026-03-30T01:30Z'],
    },
  },
  {
    zone: 'America/New_York', // 8 March 2026, 02:00 becomes 03:00
    after: '2026-03-07T17:00:00Z',
    at: { '02:30': ['2026-03-08T07:00Z', '2026-03-09T06:30Z'], '03:01': ['2026-03-08T07:01Z', '2026-03-09T07:01Z'] },
  },
  {
    zone: 'Australia/Lord_Howe', // 4 October 2026, 02:00 becomes 02:30
    after: '2026-10-03T01:30:00Z',
    at: {
      '01:45': ['2026-10-03T15:15Z', '2026-10-04T14:45Z'],
      '02:15': ['2026-10-03T15:30Z', '2026-10-04T15:15Z'],
      '02:30': ['2026-10-03T15:30Z', '2026-10-04T15:30Z'],
    },
  },
  {
    zone: 'America/Sao_Paulo', // 4 November 2018, 00:00 becomes 01:00
    after: '2018-11-03T15:00:00Z',
    at: {
      '23:59': ['2018-11-04T02:59Z', '2018-11-05T01:59Z'],
      '00:00': ['2018-11-04T03:00Z', '2018-11-05T02:00Z'],
      '00:59': ['2018-11-04T03:00Z', '2018-11-05T02:59Z'],
    },
  },
  {
    zone: 'Africa/Cairo', // 24 April 2026, 00:00 becomes 01:00
    after: '2026-04-23T10:00:00Z',
    at: { '00:30': ['2026-04-23T22:00Z', '2026-04-24T21:30Z'], '01:15': ['2026-04-23T22:15Z', '2026-04-24T22:15Z'] },
  },
  {
    zone: 'America/Asuncion', // 1 October 2023, 00:00 becomes 01:00
    after: '2023-09-30T16:00:00Z',
    at: { '00:00': ['2023-10-01T04:00Z', '2023-10-02T03:00Z'] },
  },
  {
    zone: 'Asia/Beirut', // 29 March 2026, 00:00 becomes 01:00
    after: '2026-03-28T10:00:00Z',
    at: { '00:10': ['2026-03-28T22:00Z', '2026-03-29T21:10Z'] },
  },
  {
    zone: 'America/Scoresbysund', // 28 March 2026, 23:00 becomes 00:00 of the 29th
    after: '2026-03-28T14:00:00Z',
    at: { '23:30': ['2026-03-29T01:00Z', '2026-03-30T00:30Z'], '00:00': ['2026-03-29T01:00Z', '2026-03-30T01:00Z'] },
  },
]

const repeating: Night[] = [
  {
    zone: 'Europe/Madrid', // 25 October 2026, 03:00 becomes 02:00
    after: '2026-10-24T10:00:00Z',
    at: {
      '01:59': ['2026-10-24T23:59Z', '2026-10-26T00:59Z'],
      '02:00': ['2026-10-25T00:00Z', '2026-10-26T01:00Z'],
      '02:30': ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
      '03:00': ['2026-10-25T02:00Z', '2026-10-26T02:00Z'],
    },
  },
  {
    zone: 'America/New_York', // 1 November 2026, 02:00 becomes 01:00
    after: '2026-10-31T16:00:00Z',
    at: { '01:30': ['2026-11-01T05:30Z', '2026-11-02T06:30Z'], '02:00': ['2026-11-01T07:00Z', '2026-11-02T07:00Z'] },
  },
  {
    zone: 'Australia/Lord_Howe', // 5 April 2026, 02:00 becomes 01:30
    after: '2026-04-04T01:00:00Z',
    at: { '01:45': ['2026-04-04T14:45Z', '2026-04-05T15:15Z'], '02:00': ['2026-04-04T15:30Z', '2026-04-05T15:30Z'] },
  },
  {
    zone: 'America/Sao_Paulo', // 18 February 2018, 00:00 becomes 23:00 of the 17th
    after: '2018-02-17T14:00:00Z',
    at: { '23:30': ['2018-02-18T01:30Z', '2018-02-19T02:30Z'], '00:00': ['2018-02-18T03:00Z', '2018-02-19T03:00Z'] },
  },
  {
    zone: 'Africa/Cairo', // 30 October 2026, 00:00 becomes 23:00 of the 29th
    after: '2026-10-29T09:00:00Z',
    at: { '23:15': ['2026-10-29T20:15Z', '2026-10-30T21:15Z'] },
  },
  {
    zone: 'America/Asuncion', // 24 March 2024, 00:00 becomes 23:00 of the 23rd
    after: '2024-03-23T15:00:00Z',
    at: { '23:00': ['2024-03-24T02:00Z', '2024-03-25T03:00Z'] },
  },
  {
    zone: 'Asia/Beirut', // 25 October 2026, 00:00 becomes 23:00 of the 24th
    after: '2026-10-24T09:00:00Z',
    at: { '23:59': ['2026-10-24T20:59Z', '2026-10-25T21:59Z'] },
  },
  {
    zone: 'America/St_Johns', // 7 November 2010, 00:01 becomes 23:01 of the 6th: midnight comes twice
    after: '2010-11-06T14:30:00Z',
    at: { '23:30': ['2010-11-07T02:00Z', '2010-11-08T03:00Z'], '00:00': ['2010-11-07T02:30Z', '2010-11-08T03:30Z'] },
  },
]

function eachTime(of: Night[], title: string): void {
  for (const { zone, after, at } of of) {
    for (const [time, expected] of Object.entries(at)) {
      nights(`${title}: ${time}, ${zone}`, () => {
        inZone(zone)
        equal(firings(daily(time), after, expected.length), expected)
      })
    }
  }
}

eachTime(skipping, 'a skipped time fires at the next existing minute')
eachTime(repeating, 'a repeated time fires once, the first time')

nights('two hours that are skipped into one instant fire once', () => {
  inZone('Antarctica/Troll')
  // 29 March 2026, 01:00 becomes 03:00.
  equal(firings({ ...daily('01:30'), hours: bits(1, 2, 3) }, '2026-03-29T00:00:00Z', 3), [
    '2026-03-29T01:00Z',
    '2026-03-29T01:30Z',
    '2026-03-29T23:30Z',
  ])
})

nights('in the second of two equal hours its times have passed, and the hours after it are ahead', () => {
  inZone('Europe/Madrid')
  const masks = { ...daily('02:45'), hours: bits(2, 3) }
  equal(firings(masks, '2026-10-25T00:44:00Z', 2), ['2026-10-25T00:45Z', '2026-10-25T02:45Z'])
  equal(firings(masks, '2026-10-25T01:00:00Z', 2), ['2026-10-25T02:45Z', '2026-10-26T01:45Z'])
  inZone('America/St_Johns')
  equal(firings(daily('00:00'), '2010-11-07T02:31:00Z', 1), ['2010-11-08T03:30Z'])
})

nights('a day that the zone leaves out fires as its successor begins', () => {
  inZone('Pacific/Apia')
  // 29 December 2011 was followed by the 31st.
  const masks = { ...daily('14:20'), years: year(2011), months: bits(11), days: bits(29) }
  equal(firings(masks, '2011-01-01T12:00:00Z', 2), ['2011-12-30T10:00Z'])
  equal(firings(daily('14:20'), '2011-12-29T12:00:00Z', 3), [
    '2011-12-30T00:20Z',
    '2011-12-30T10:00Z',
    '2011-12-31T00:20Z',
  ])
})

nights.run()

const naive = suite('a naive enumeration agrees')

type Day = Pick<Masks, 'years' | 'months' | 'days' | 'week_days' | 'weeks'>

const firstDay = Date.UTC(2010, 0, 1) / day

/** What the calendar says of each day of 2010 to 2041, told by walking along them. */
function readCalendar(): Day[] {
  const days: Day[] = []
  let week = 0
  for (let time = firstDay * day; time < Date.UTC(2042, 0, 1); time += day) {
    const at = new Date(time)
    if (at.getUTCDate() === 1) week = 0
    let sunday = time + day
    while (new Date(sunday).getUTCDay() !== 0) sunday += day
    const isLast = new Date(sunday).getUTCMonth() !== at.getUTCMonth()
    days.push({
      years: year(at.getUTCFullYear()),
      months: bits(at.getUTCMonth()),
      days: bits(at.getUTCDate() - 1),
      week_days: bits([6, 0, 1, 2, 3, 4, 5][at.getUTCDay()] ?? 0),
      weeks: (week < 5 ? bits(week) : 0) + (isLast ? bits(5) : 0),
    })
    if (at.getUTCDay() === 6) week += 1
  }
  return days
}

const calendar = readCalendar()

/** Local times that are there for the first time, an hour at most; skipped ones all belong to the one instant. */
interface Stretch {
  // Minutes since 1970: a remainder of milliseconds would take ten times as long.
  instant: number
  from: number
  to: number
  skipped: boolean
}

function localTime(instant: number): number {
  const at = new Date(instant * minute)
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes()) / minute
}

/** Walks through the instants of 32 years by hours, and by minutes where the clock is changed within the hour. */
function readClock(): Stretch[] {
  const stretches: Stretch[] = []
  const end = Date.UTC(2042, 0, 1, 12) / minute
  let instant = Date.UTC(2009, 11, 31, 9) / minute
  let local = localTime(instant)
  let fresh = local
  while (instant < end) {
    const later = localTime(instant + 60)
    const step = later - local === 60 ? 60 : 1
    for (; fresh < local; fresh += 1) stretches.push({ instant, from: fresh, to: fresh + 1, skipped: true })
    const to = local + step
    if (fresh < to) stretches.push({ instant: instant + fresh - local, from: fresh, to, skipped: false })
    fresh = Math.max(fresh, to)
    instant += step
    local = step === 60 ? later : localTime(instant)
  }
  return stretches
}

/** All firings of 32 years. */
function enumerate(masks: Masks, stretches: Stretch[]): number[] {
  const found: number[] = []
  const days = calendar.map(one => isChosenDay(masks, one))
  const hours = Array.from({ length: 24 }, (_, hour) => isChosenHour(masks, hour))
  for (const { instant, from, to, skipped } of stretches) {
    const since = (masks.minutes + 60 - (from % 60)) % 60
    const local = from + since
    if (local >= to || !hours[Math.floor(local / 60) % 24] || !days[Math.floor(local / 1440) - firstDay]) continue
    const at = (skipped ? instant : instant + since) * minute
    if (found.at(-1) !== at) found.push(at)
  }
  return found
}

function isChosenDay(masks: Masks, { years, months, days, week_days, weeks }: Day): boolean {
  if (!(masks.years & years) || !(masks.months & months)) return false
  return Boolean(masks.days & days || masks.week_days & week_days || masks.weeks & weeks)
}

function isChosenHour({ hours, am_pm }: Masks, hour: number): boolean {
  return (am_pm === 1) === hour > 11 && Boolean(hours & bits(hour % 12))
}

/** Numbers from 0 to below 1, the same in every run: a linear congruential generator. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function randomMasks(random: () => number): Masks {
  const mask = (count: number, densities: number[]) => {
    const density = densities[Math.floor(random() * densities.length)] ?? 0
    return bits(...Array.from({ length: count }, (_, index) => index).filter(() => random() < density))
  }
  return {
    years: mask(32, [0.1, 0.5, 1]),
    months: mask(12, [0.2, 0.6, 1]),
    weeks: mask(6, [0, 0, 0.3]),
    week_days: mask(7, [0, 0, 0.3]),
    days: mask(31, [0, 0.05, 1]),
    hours: mask(12, [0.1, 0.4, 1]),
    am_pm: random() < 0.5 ? 0 : 1,
    minutes: Math.floor(random() * 60),
  }
}

/** The place of the first number above a limit, in numbers that rise. */
function placeAbove(numbers: number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((numbers[middle] ?? 0) > limit) high = middle
    else low = middle + 1
  }
  return low
}

const told = (instant: number | undefined) => (instant === undefined ? 'never' : new Date(instant).toISOString())

const masksPerZone = 8
const startsPerMasks = 120

/** Starts anywhere, around changes of the clock, and at firings or next to them. */
function starts(random: () => number, changes: number[], expected: number[]): number[] {
  const anyOf = (list: number[]) => list[Math.floor(random() * list.length)] ?? Date.UTC(2041, 11, 31)
  const kinds = [
    () => Math.floor(Date.UTC(2010, 0, 1) + random() * 32 * 366 * day),
    () => anyOf(changes) + Math.floor((random() - 0.7) * 200) * minute,
    () => anyOf(expected) + Math.floor(random() * 3) - 1,
  ]
  return Array.from({ length: startsPerMasks }, (_, index) => kinds[index % kinds.length]?.() ?? 0)
}

const zones = [
  'UTC',
  'Europe/Madrid',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Asuncion',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Pacific/Apia',
  'Pacific/Chatham',
]

for (const [index, zone] of zones.entries()) {
  naive(`random masks over 2010 to 2041, ${zone}`, () => {
    inZone(zone)
    const random = createRandom(index + 1)
    const stretches = readClock()
    const changes = stretches.filter(({ from, to }) => to - from < 60).map(({ instant }) => instant * minute)
    for (let round = 0; round < masksPerZone; round += 1) {
      const masks = randomMasks(random)
      const expected = enumerate(masks, stretches)
      for (const start of starts(random, changes, expected)) {
        const next = expected[placeAbove(expected, start)]
        const found = nextFiring(masks, new Date(start))?.getTime()
        if (found !== next) is(told(found), told(next), `${JSON.stringify(masks)} after ${told(start)}`)
      }
    }
  })
}

naive.run()

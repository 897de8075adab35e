// Recurrence: the masks of an instant, and the times that masks choose.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { masksOf, nextFiring } from '../../host/schedules/recurrence.ts'
import type { Masks } from '../../stores/types.ts'
import { bits, daily, everyDay, firings, noMasks, setTimeZone, yearBits } from '../harness/recurrence-masks.ts'

const instants = suite('masks of an instant')

instants('an instant has one bit each for year, month, day and hour, its minute, and no weeks or week days', () => {
  setTimeZone('Europe/Madrid')
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

instants('hours are counted modulo 12: midnight and noon have bit 0', () => {
  setTimeZone('UTC')
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

instants('2041 has the last bit, unsigned; years out of range have none', () => {
  setTimeZone('UTC')
  const years = [2009, 2010, 2025, 2041, 2042, 2073].map(one => masksOf(new Date(Date.UTC(one, 6, 1))).years)
  equal(years, [0, 1, 32_768, 2_147_483_648, 0, 0])
})

instants('the masks of an instant fire in its minute and never again', () => {
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
    setTimeZone(zone)
    const masks = masksOf(new Date('2031-08-31T18:31:59.999Z'))
    equal(firings(masks, '2010-01-01T12:00:00Z', 2), ['2031-08-31T18:31Z'])
  }
})

instants.run()

const choices = suite('chosen times')

choices('the next firing is later than the given instant', () => {
  setTimeZone('UTC')
  const masks = daily('06:30')
  const next = (after: string) => nextFiring(masks, new Date(after))?.toISOString()
  is(next('2026-03-01T06:29:59.999Z'), '2026-03-01T06:30:00.000Z')
  is(next('2026-03-01T06:30:00.000Z'), '2026-03-02T06:30:00.000Z')
  is(next('2026-03-01T06:30:00.001Z'), '2026-03-02T06:30:00.000Z')
})

choices('each chosen hour of the half day fires at the minute', () => {
  setTimeZone('UTC')
  equal(firings({ ...everyDay, hours: bits(0, 3, 11), am_pm: 1, minutes: 59 }, '2026-12-31T12:00:00Z', 4), [
    '2026-12-31T12:59Z',
    '2026-12-31T15:59Z',
    '2026-12-31T23:59Z',
    '2027-01-01T12:59Z',
  ])
})

choices('masks without a year, month, hour or day never fire', () => {
  setTimeZone('UTC')
  const all = daily('06:30')
  for (const key of ['years', 'months', 'hours', 'days'] as const) {
    equal(firings({ ...all, [key]: 0 }, '2026-01-01T00:00:00Z', 1), [])
  }
  equal(firings(noMasks, '2026-01-01T00:00:00Z', 1), [])
})

choices('days, week days and weeks are combined; a day that is chosen twice fires once', () => {
  setTimeZone('UTC')
  // September 2026 begins on a Tuesday: its second week is the 6th to the 12th, its Mondays the 7th, 14th, 21st, 28th.
  const masks = { ...daily('06:00'), years: yearBits(2026), months: bits(8), days: bits(6, 29) }
  const times = firings({ ...masks, week_days: bits(0), weeks: bits(1) }, '2026-01-01T00:00:00Z', 99)
  equal(
    times.map(time => Number(time.slice(8, 10))),
    [6, 7, 8, 9, 10, 11, 12, 14, 21, 28, 30],
  )
})

choices('week days begin with Monday', () => {
  setTimeZone('UTC')
  const weekDays = [0, 1, 2, 3, 4, 5, 6].map(index => {
    const [time = ''] = firings({ ...daily('06:00'), days: 0, week_days: bits(index) }, '2026-06-01T00:00:00Z', 1)
    return new Date(time).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' })
  })
  equal(weekDays, ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
})

// The first weekday and the length of a month decide its weeks. August 2026 begins on a Saturday and has six.
const weekCases: Record<string, [month: string, weeks: number, days: string]> = {
  'the first week ends on the first Saturday': ['2026-08', bits(0), '1'],
  'the second week follows it, from Sunday to Saturday': ['2026-08', bits(1), '2 3 4 5 6 7 8'],
  'the fifth of six weeks is not the last': ['2026-08', bits(4), '23 24 25 26 27 28 29'],
  'the last of six weeks has only the bit of the last week': ['2026-08', bits(5), '30 31'],
  'the last of five weeks is the fifth': ['2026-09', bits(5), '27 28 29 30'],
  'the fifth of five weeks has its own bit too': ['2026-09', bits(4), '27 28 29 30'],
  'the last of four weeks is the fourth': ['2026-02', bits(5), '22 23 24 25 26 27 28'],
  'a month of four weeks has no fifth': ['2026-02', bits(4), ''],
  'the last week of a February in a leap year': ['2032-02', bits(5), '29'],
}

for (const [name, [month, weeks, days]] of Object.entries(weekCases)) {
  choices(name, () => {
    setTimeZone('America/New_York')
    const [years = 0, months = 0] = month.split('-').map(Number)
    const masks = { ...daily('18:00'), years: yearBits(years), months: bits(months - 1), days: 0, weeks }
    const times = firings(masks, '2010-01-01T12:00:00Z', 99)
    is(times.map(time => Number(time.slice(8, 10))).join(' '), days)
  })
}

choices('29 February fires in leap years only', () => {
  setTimeZone('Europe/Madrid')
  const masks = { ...daily('00:00'), months: bits(1), days: bits(28) }
  equal(
    firings(masks, '2010-06-01T00:00:00Z', 99),
    [2012, 2016, 2020, 2024, 2028, 2032, 2036, 2040].map(one => `${one}-02-28T23:00Z`),
  )
  equal(firings({ ...masks, years: yearBits(2027) }, '2010-06-01T00:00:00Z', 1), [])
})

choices('30 February and 31 April never fire, even with all years chosen', () => {
  setTimeZone('UTC')
  equal(firings({ ...daily('06:00'), months: bits(1), days: bits(29, 30) }, '2010-01-01T00:00:00Z', 1), [])
  equal(firings({ ...daily('06:00'), months: bits(3), days: bits(30) }, '2010-01-01T00:00:00Z', 1), [])
})

choices('years from bit 16 to bit 31, which is 2041, fire', () => {
  setTimeZone('UTC')
  const masks = { ...daily('12:00'), years: yearBits(2025, 2026, 2040, 2041), months: bits(6), days: bits(0) }
  equal(firings(masks, '2025-12-31T00:00:00Z', 99), ['2026-07-01T12:00Z', '2040-07-01T12:00Z', '2041-07-01T12:00Z'])
  equal(firings(daily('23:59'), '2041-12-31T23:00:00Z', 99), ['2041-12-31T23:59Z'])
  equal(firings({ ...masks, years: yearBits(2025) }, '2026-01-01T00:00:00Z', 1), [])
})

choices('before 2010 the next firing is in 2010', () => {
  setTimeZone('UTC')
  equal(firings(daily('00:00'), '1999-05-05T00:00:00Z', 1), ['2010-01-01T00:00Z'])
})

choices('years begin in local time', () => {
  setTimeZone('Pacific/Auckland')
  const masks = { ...daily('00:00'), years: yearBits(2027), months: bits(0), days: bits(0) }
  equal(firings(masks, '2026-12-31T10:59:59Z', 2), ['2026-12-31T11:00Z'])
  equal(firings(daily('23:30'), '2026-12-31T10:30:00Z', 1), ['2027-01-01T10:30Z'])
})

choices('bits and numbers out of range are ignored', () => {
  setTimeZone('Europe/Madrid')
  const all = daily('06:00')
  const outOfRange: Partial<Masks>[] = [
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
  for (const masks of outOfRange) equal(firings({ ...all, ...masks }, '2026-01-01T00:00:00Z', 1), [])
  is(nextFiring(all, new Date(Number.NaN)), undefined)
})

choices.run()

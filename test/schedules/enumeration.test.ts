// Recurrence compared with a naive enumeration of all local times of 32 years.
import { suite } from 'uvu'
import { is } from 'uvu/assert'
import { nextFiring } from '../../host/schedules/recurrence.ts'
import type { Masks } from '../../stores/types.ts'
import { bits, setTimeZone, yearBits } from '../harness/recurrence-masks.ts'

const minute = 60_000
const day = 1440 * minute

const test = suite('recurrence against an enumeration')

type DateMasks = Pick<Masks, 'years' | 'months' | 'days' | 'week_days' | 'weeks'>

const firstDay = Date.UTC(2010, 0, 1) / day

/** The masks of each day from 2010 to 2041, found by counting day by day. */
function readCalendar(): DateMasks[] {
  const days: DateMasks[] = []
  let week = 0
  for (let time = firstDay * day; time < Date.UTC(2042, 0, 1); time += day) {
    const at = new Date(time)
    if (at.getUTCDate() === 1) week = 0
    let sunday = time + day
    while (new Date(sunday).getUTCDay() !== 0) sunday += day
    const isLast = new Date(sunday).getUTCMonth() !== at.getUTCMonth()
    days.push({
      years: yearBits(at.getUTCFullYear()),
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

/**
 * Up to an hour of local times that occur for the first time, or are skipped: these all belong to one instant. Numbers
 * are minutes since 1970, as remainders of milliseconds would take ten times as long.
 */
interface Span {
  instant: number
  from: number
  to: number
  skipped: boolean
}

function localTime(instant: number): number {
  const at = new Date(instant * minute)
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes()) / minute
}

/** Goes through 32 years by the hour, and by the minute where the clock changes within the hour. */
function readClock(): Span[] {
  const spans: Span[] = []
  const end = Date.UTC(2042, 0, 1, 12) / minute
  let instant = Date.UTC(2009, 11, 31, 9) / minute
  let local = localTime(instant)
  let nextNew = local
  while (instant < end) {
    const later = localTime(instant + 60)
    const step = later - local === 60 ? 60 : 1
    for (; nextNew < local; nextNew += 1) spans.push({ instant, from: nextNew, to: nextNew + 1, skipped: true })
    const to = local + step
    if (nextNew < to) spans.push({ instant: instant + nextNew - local, from: nextNew, to, skipped: false })
    nextNew = Math.max(nextNew, to)
    instant += step
    local = step === 60 ? later : localTime(instant)
  }
  return spans
}

/** All firings in 32 years. */
function enumerate(masks: Masks, spans: Span[]): number[] {
  const times: number[] = []
  const days = calendar.map(date => isChosenDay(masks, date))
  const hours = Array.from({ length: 24 }, (_, hour) => isChosenHour(masks, hour))
  for (const { instant, from, to, skipped } of spans) {
    const since = (masks.minutes + 60 - (from % 60)) % 60
    const local = from + since
    if (local >= to || !hours[Math.floor(local / 60) % 24] || !days[Math.floor(local / 1440) - firstDay]) continue
    const time = (skipped ? instant : instant + since) * minute
    if (times.at(-1) !== time) times.push(time)
  }
  return times
}

function isChosenDay(masks: Masks, { years, months, days, week_days, weeks }: DateMasks): boolean {
  if (!(masks.years & years) || !(masks.months & months)) return false
  return Boolean(masks.days & days || masks.week_days & week_days || masks.weeks & weeks)
}

function isChosenHour({ hours, am_pm }: Masks, hour: number): boolean {
  return (am_pm === 1) === hour > 11 && Boolean(hours & bits(hour % 12))
}

/** A linear congruential generator: numbers from 0 to below 1, the same in every run. */
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

/** The index of the first of the ascending numbers that is above the limit. */
function firstAbove(numbers: number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((numbers[middle] ?? 0) > limit) high = middle
    else low = middle + 1
  }
  return low
}

const format = (instant: number | undefined) => (instant === undefined ? 'never' : new Date(instant).toISOString())

const masksPerZone = 8
const startsPerMasks = 120

/** Start times anywhere, around clock changes, and at or next to firings. */
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
  test(`random masks from 2010 to 2041 fire as the enumeration does, ${zone}`, () => {
    setTimeZone(zone)
    const random = createRandom(index + 1)
    const spans = readClock()
    const changes = spans.filter(({ from, to }) => to - from < 60).map(({ instant }) => instant * minute)
    for (let round = 0; round < masksPerZone; round += 1) {
      const masks = randomMasks(random)
      const expected = enumerate(masks, spans)
      for (const start of starts(random, changes, expected)) {
        const next = expected[firstAbove(expected, start)]
        const actual = nextFiring(masks, new Date(start))?.getTime()
        if (actual !== next) is(format(actual), format(next), `${JSON.stringify(masks)} after ${format(start)}`)
      }
    }
  })
}

test.run()

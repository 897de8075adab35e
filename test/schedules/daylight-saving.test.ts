// Recurrence in the nights when the clock changes.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { bits, daily, firings, setTimeZone, yearBits } from '../harness/recurrence-masks.ts'

const test = suite('daylight saving')

/** A night with a clock change: the firings of daily masks after the noon before it, by their local time. */
interface ClockChange {
  zone: string
  after: string
  firings: Record<string, string[]>
}

// Each list begins before the change and ends after it, so that repeated or omitted firings would show.
const skippedTimes: ClockChange[] = [
  {
    zone: 'Europe/Madrid', // 29 March 2026, 02:00 becomes 03:00
    after: '2026-03-28T11:00:00Z',
    firings: {
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
    firings: {
      '02:30': ['2026-03-08T07:00Z', '2026-03-09T06:30Z'],
      '03:01': ['2026-03-08T07:01Z', '2026-03-09T07:01Z'],
    },
  },
  {
    zone: 'Australia/Lord_Howe', // 4 October 2026, 02:00 becomes 02:30
    after: '2026-10-03T01:30:00Z',
    firings: {
      '01:45': ['2026-10-03T15:15Z', '2026-10-04T14:45Z'],
      '02:15': ['2026-10-03T15:30Z', '2026-10-04T15:15Z'],
      '02:30': ['2026-10-03T15:30Z', '2026-10-04T15:30Z'],
    },
  },
  {
    zone: 'America/Sao_Paulo', // 4 November 2018, 00:00 becomes 01:00
    after: '2018-11-03T15:00:00Z',
    firings: {
      '23:59': ['2018-11-04T02:59Z', '2018-11-05T01:59Z'],
      '00:00': ['2018-11-04T03:00Z', '2018-11-05T02:00Z'],
      '00:59': ['2018-11-04T03:00Z', '2018-11-05T02:59Z'],
    },
  },
  {
    zone: 'Africa/Cairo', // 24 April 2026, 00:00 becomes 01:00
    after: '2026-04-23T10:00:00Z',
    firings: {
      '00:30': ['2026-04-23T22:00Z', '2026-04-24T21:30Z'],
      '01:15': ['2026-04-23T22:15Z', '2026-04-24T22:15Z'],
    },
  },
  {
    zone: 'America/Asuncion', // 1 October 2023, 00:00 becomes 01:00
    after: '2023-09-30T16:00:00Z',
    firings: { '00:00': ['2023-10-01T04:00Z', '2023-10-02T03:00Z'] },
  },
  {
    zone: 'Asia/Beirut', // 29 March 2026, 00:00 becomes 01:00
    after: '2026-03-28T10:00:00Z',
    firings: { '00:10': ['2026-03-28T22:00Z', '2026-03-29T21:10Z'] },
  },
  {
    zone: 'America/Scoresbysund', // 28 March 2026, 23:00 becomes 00:00 of the 29th
    after: '2026-03-28T14:00:00Z',
    firings: {
      '23:30': ['2026-03-29T01:00Z', '2026-03-30T00:30Z'],
      '00:00': ['2026-03-29T01:00Z', '2026-03-30T01:00Z'],
    },
  },
]

const repeatedTimes: ClockChange[] = [
  {
    zone: 'Europe/Madrid', // 25 October 2026, 03:00 becomes 02:00
    after: '2026-10-24T10:00:00Z',
    firings: {
      '01:59': ['2026-10-24T23:59Z', '2026-10-26T00:59Z'],
      '02:00': ['2026-10-25T00:00Z', '2026-10-26T01:00Z'],
      '02:30': ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
      '03:00': ['2026-10-25T02:00Z', '2026-10-26T02:00Z'],
    },
  },
  {
    zone: 'America/New_York', // 1 November 2026, 02:00 becomes 01:00
    after: '2026-10-31T16:00:00Z',
    firings: {
      '01:30': ['2026-11-01T05:30Z', '2026-11-02T06:30Z'],
      '02:00': ['2026-11-01T07:00Z', '2026-11-02T07:00Z'],
    },
  },
  {
    zone: 'Australia/Lord_Howe', // 5 April 2026, 02:00 becomes 01:30
    after: '2026-04-04T01:00:00Z',
    firings: {
      '01:45': ['2026-04-04T14:45Z', '2026-04-05T15:15Z'],
      '02:00': ['2026-04-04T15:30Z', '2026-04-05T15:30Z'],
    },
  },
  {
    zone: 'America/Sao_Paulo', // 18 February 2018, 00:00 becomes 23:00 of the 17th
    after: '2018-02-17T14:00:00Z',
    firings: {
      '23:30': ['2018-02-18T01:30Z', '2018-02-19T02:30Z'],
      '00:00': ['2018-02-18T03:00Z', '2018-02-19T03:00Z'],
    },
  },
  {
    zone: 'Africa/Cairo', // 30 October 2026, 00:00 becomes 23:00 of the 29th
    after: '2026-10-29T09:00:00Z',
    firings: { '23:15': ['2026-10-29T20:15Z', '2026-10-30T21:15Z'] },
  },
  {
    zone: 'America/Asuncion', // 24 March 2024, 00:00 becomes 23:00 of the 23rd
    after: '2024-03-23T15:00:00Z',
    firings: { '23:00': ['2024-03-24T02:00Z', '2024-03-25T03:00Z'] },
  },
  {
    zone: 'Asia/Beirut', // 25 October 2026, 00:00 becomes 23:00 of the 24th
    after: '2026-10-24T09:00:00Z',
    firings: { '23:59': ['2026-10-24T20:59Z', '2026-10-25T21:59Z'] },
  },
  {
    zone: 'America/St_Johns', // 7 November 2010, 00:01 becomes 23:01 of the 6th: midnight comes twice
    after: '2010-11-06T14:30:00Z',
    firings: {
      '23:30': ['2010-11-07T02:00Z', '2010-11-08T03:00Z'],
      '00:00': ['2010-11-07T02:30Z', '2010-11-08T03:30Z'],
    },
  },
]

function testEach(changes: ClockChange[], title: string): void {
  for (const change of changes) {
    const { zone, after } = change
    for (const [time, expected] of Object.entries(change.firings)) {
      test(`${title}: ${time}, ${zone}`, () => {
        setTimeZone(zone)
        equal(firings(daily(time), after, expected.length), expected)
      })
    }
  }
}

testEach(skippedTimes, 'a skipped time fires at the next existing minute')
testEach(repeatedTimes, 'a repeated time fires once, the first time')

test('two skipped hours that become the same instant fire once', () => {
  setTimeZone('Antarctica/Troll')
  // 29 March 2026, 01:00 becomes 03:00.
  equal(firings({ ...daily('01:30'), hours: bits(1, 2, 3) }, '2026-03-29T00:00:00Z', 3), [
    '2026-03-29T01:00Z',
    '2026-03-29T01:30Z',
    '2026-03-29T23:30Z',
  ])
})

test('in the repeated hour its times do not fire again, later hours do', () => {
  setTimeZone('Europe/Madrid')
  const masks = { ...daily('02:45'), hours: bits(2, 3) }
  equal(firings(masks, '2026-10-25T00:44:00Z', 2), ['2026-10-25T00:45Z', '2026-10-25T02:45Z'])
  equal(firings(masks, '2026-10-25T01:00:00Z', 2), ['2026-10-25T02:45Z', '2026-10-26T01:45Z'])
  setTimeZone('America/St_Johns')
  equal(firings(daily('00:00'), '2010-11-07T02:31:00Z', 1), ['2010-11-08T03:30Z'])
})

test('a day that the time zone skips fires when the next day begins', () => {
  setTimeZone('Pacific/Apia')
  // 29 December 2011 was followed by the 31st.
  const masks = { ...daily('14:20'), years: yearBits(2011), months: bits(11), days: bits(29) }
  equal(firings(masks, '2011-01-01T12:00:00Z', 2), ['2011-12-30T10:00Z'])
  equal(firings(daily('14:20'), '2011-12-29T12:00:00Z', 3), [
    '2011-12-30T00:20Z',
    '2011-12-30T10:00Z',
    '2011-12-31T00:20Z',
  ])
})

test.run()

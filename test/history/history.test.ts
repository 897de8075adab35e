// What callers read of the history: counts of rooms, and the changes of a computer.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { ClientHistory, RoomsHistory } from '../../host/contract/services.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { startLab } from '../harness/lab.ts'
import { pollUntil } from '../harness/poll.ts'

const clock = createManualClock('2026-09-14T08:02:00Z')
const subnet = '127.0.57'
const [one, three] = [`${subnet}.1`, `${subnet}.3`]
const lab = await startLab({ subnet, rooms: true, clock, options: { history: { users: true } } })
const { token } = await lab.addToken('limited', 'read')
const limited = { Authorization: token }

const call = async (path: string, as = {}) => {
  const { status, json, headers, text } = await lab.call(`GET /history/${path}`, undefined, as)
  return { status, json, text, reason: headers['x-reason'] }
}
const roomsOf = async (query = '', as = {}): Promise<RoomsHistory> => (await call(`rooms?${query}`, as)).json

/** The last of them is stored. */
async function count(times: number): Promise<void> {
  for (let number = 0; number < times; number += 1) {
    await clock.advanceTo(new Date(Math.floor(clock.now() / 300_000) * 300_000 + 300_000))
    const query = `from=${new Date(clock.now()).toISOString()}&to=2026-09-15&step=5min`
    await pollUntil(async () => {
      await clock.advance(1)
      return (await roomsOf(query)).samples[0] === 1
    })
  }
}

const test = suite('history')
test.after(() => lab.stop())

test('counts of rooms are means of steps, and null where nothing is known', async () => {
  const agent = await lab.agent(one)
  await clock.advance(150_000)
  await count(1)
  await clock.advance(60_000)
  const known = lab.event('session-login', { addr: one })
  agent.event('start', 'anna')
  await known
  await count(2)
  const { step, times, samples, series } = await roomsOf('from=2026-09-14T08:00Z')
  equal([step, times[0], times.length], ['5min', '2026-09-14T08:00:00.000Z', 4])
  equal(samples, [0, 1, 1, 1])
  equal(
    series.map(({ room, name, in_use, free, off }) => ({ room, name, in_use, free, off })),
    [
      { room: 1, name: series[0]?.name, in_use: [null, 0, 1, 1], free: [null, 1, 0, 0], off: [null, 1, 1, 1] },
      { room: 2, name: series[1]?.name, in_use: [null, 0, 0, 0], free: [null, 0, 0, 0], off: [null, 2, 2, 2] },
    ],
  )
  const hours = await roomsOf('from=2026-09-14T07:00Z&step=hour&room=1')
  equal(
    [hours.samples, hours.series[0]?.in_use],
    [
      [0, 3],
      [null, 0.7],
    ],
  )
  const days = await roomsOf('from=2026-09-01&step=day&by=all')
  equal([days.samples.at(-1), days.series.length, days.series[0]?.off.at(-1)], [3, 1, 3])
  const centers = await roomsOf('from=2026-09-14T08:00Z&by=center')
  equal(
    centers.series.map(({ center, room, off }) => [center, room, off]),
    [[1, undefined, [null, 3, 3, 3]]],
  )
})

test('the changes of a computer have their times, who was logged in where the option says so, and gaps', async () => {
  const { json, status } = await call(`client?client=${one}&from=2026-09-14`)
  is(status, 200)
  const { changes, gaps, from, to }: ClientHistory = json
  equal(
    changes.map(({ state, in_use, user }) => [state, in_use, user]),
    [
      ['oglive', false, undefined],
      ['oglive', true, 'anna'],
    ],
  )
  equal(changes[0]?.time, '2026-09-14T08:05:00.000Z')
  equal(
    [from, to, gaps],
    [
      '2026-09-14T00:00:00.000Z',
      '2026-09-14T08:15:00.000Z',
      [{ from: '2026-09-14T00:00:00.000Z', to: '2026-09-14T08:05:00.000Z' }],
    ],
  )
})

test('both are CSV, too, without the numbers of gaps', async () => {
  const rooms = await call('rooms?room=1&from=2026-09-14T08:00Z&format=csv')
  equal(rooms.text.split('\r\n').slice(0, 2), [
    'time,room,center,name,samples,free,in_use,busy,waking,off,failed',
    `2026-09-14T08:05:00.000Z,1,1,${(await roomsOf('room=1')).series[0]?.name},1,1,0,0,0,1,0`,
  ])
  const client = await call(`client?client=${one}&from=2026-09-14T08:00Z&format=csv`)
  equal(client.text.split('\r\n').slice(0, 3), [
    'time,state,in_use,user',
    '2026-09-14T08:00:00.000Z,unknown,,',
    '2026-09-14T08:05:00.000Z,oglive,no,',
  ])
})

test('a limited caller reads the history of its own rooms and computers only', async () => {
  const { series } = await roomsOf('', limited)
  equal(
    series.map(({ room }) => room),
    [1],
  )
  equal((await roomsOf('by=all&from=2026-09-14T08:00Z', limited)).series[0]?.off, [null, 1, 1, 1])
  for (const [path, reason] of [
    ['rooms?room=2', 'room: 2 is not one of yours'],
    ['rooms?room=99', 'room: 99 is not one of yours'],
    ['rooms?center=99', 'center: 99 is not one of yours'],
    [`client?client=${three}`, '1 of 1 clients are outside the rooms of the token'],
    [`client?client=${subnet}.99`, '1 of 1 clients are outside the rooms of the token'],
  ] as const) {
    const { status, reason: answered } = await call(path, limited)
    equal([status, answered], [403, reason])
  }
  is((await call(`client?client=${one}`, limited)).status, 200)
})

test('what cannot be answered is refused with its reason', async () => {
  for (const [path, reason] of [
    ['rooms?room=99', 'room: there is no room 99'],
    ['rooms?center=99', 'center: there is no center 99'],
    ['rooms?from=noon', 'from: expected an ISO time or a day, got noon'],
    ['rooms?to=noon', 'to: expected an ISO time or a day, got noon'],
    ['rooms?from=2026-09-15&to=2026-09-14', 'from, to: expected times in their order, got others'],
    [
      'rooms?from=2026-01-01&step=5min',
      'expected at most 40000 numbers, got 1328904: ask for a longer step, fewer rooms, or by=center',
    ],
    [`client?client=${subnet}.99`, `client: there is no computer ${subnet}.99`],
  ] as const) {
    const { status, reason: answered } = await call(path)
    equal([status, answered], [400, reason])
  }
})

test.run()

// What the pack usage counts and keeps.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { addToHour } from '../../commands/packs/usage/_usage-hours.ts'
import { withUsage } from '../harness/usage-lab.ts'

const test = suite('usage')

test('hours on and in use, systems, log-ins and energy of a room', () =>
  withUsage({ settings: { watts: { on: 100, idle: 50, off: 10 } } }, async lab => {
    const [first, second] = lab.clients
    await lab.advance('1 minute')
    await first?.login('anna')
    await lab.advance('30 minutes')
    await first?.logout('anna')
    await second?.disconnect()
    await lab.advance('30 minutes')
    const [row, ...others] = await lab.usage('by=day&from=2026-03-02&to=2026-03-02')
    equal(others, [])
    equal(row, {
      time: '2026-03-02',
      room: 1,
      name: 'Room',
      computers: 2,
      observed: 1,
      on: 1.5,
      in_use: 0.5,
      live: 0,
      linux: 1.5,
      windows: 0,
      virtual: 0,
      logins: 1,
      boots: 0,
      failures: 0,
      // 30 min × 100 W, 60 min × 50 W, 30 min × 10 W.
      kwh: 0.11,
    })
  }))

test('nobody is named in what is kept, unless a setting says so', () =>
  withUsage({}, async lab => {
    const [client] = lab.clients
    const stored = async () =>
      JSON.stringify([await lab.collections.hours.list(), await lab.collections.sessions.list()])
    await client?.login('anna')
    await lab.advance('5 minutes')
    ok(!(await stored()).includes('anna'))
    ok(!(await stored()).includes(client?.addr ?? '?'))
    await lab.accepted('/pack/settings', { pack: 'usage', settings: { sessions_days: 7 } })
    await client?.logout('anna')
    await client?.login('berta')
    await lab.advance('5 minutes')
    await client?.logout('berta')
    await lab.settle()
    const rows = async () => (await lab.get('/view/usage-sessions')).json.rows
    const [{ user, since, until }, ...others] = await rows()
    equal([user, Date.parse(until) - Date.parse(since), others.length], ['berta', 300_000, 0])
    is((await lab.call('GET /view/usage-sessions', undefined, await lab.limitedCaller())).status, 403)
    await lab.pauseFor(7 * 86_400_000)
    equal(await rows(), [])
  }))

test('time in which nothing was counted is a gap and no use', () =>
  withUsage({ clients: 1 }, async lab => {
    await lab.clients[0]?.login('anna')
    await lab.advance('9 minutes')
    // As a daemon that ends and starts: nothing of what it knew remains.
    await lab.pauseFor('2 hours')
    await lab.advance('10 minutes')
    const rows = await lab.usage('by=hour')
    equal(
      rows.map(({ observed, in_use }: { observed: number; in_use: number }) => observed === in_use && observed < 0.2),
      [true, true],
    )
    is(Date.parse(rows[1].time) - Date.parse(rows[0].time), 2 * 3_600_000)
    const { series, gap } = (await lab.get(`/view/usage-rooms?from=${rows[0].time}&until=2026-03-02T23:00:00Z`)).json
    equal(series[0].points.length, 2)
    ok(gap < 2 * 3_600_000)
  }))

test('of time that another host has counted, or that comes twice as the clock was set back, nothing is added', () =>
  withUsage({ clients: 0 }, async lab => {
    const add = (from: number, until: number) =>
      addToHour(lab, '2026-01-01T10', { 1: { has: 60, use: 60 }, 250: { has: 60 } }, { from, until })
    await add(1000, 1060)
    await add(1000, 1060)
    await add(1030, 1090)
    await add(940, 1000)
    const [first, second] = await lab.collections.hours.list()
    equal(first?.value, { until: 1060, observed: 60, rooms: { 1: { has: 60, use: 60 } } })
    equal([second?.key, second?.value.observed], ['2026-01-01T10/2', 60])
    await Promise.all([add(1060, 1120), add(1120, 1180)])
    await addToHour(lab, '2026-01-01T10', { 1: { logins: 1 } })
    const { until, observed, rooms } = (await lab.collections.hours.get('2026-01-01T10/0'))?.value ?? {}
    equal([until, rooms?.[1]?.logins], [1180, 1])
    is(observed, rooms?.[1]?.use)
  }))

test('boots are counted, a connection that is lost for a moment is none, and its log-in is no second one', () =>
  withUsage({ clients: 1 }, async lab => {
    const [client] = lab.clients
    await client?.login('anna')
    await lab.advance('1 minute')
    await client?.disconnect()
    await lab.advance(5000)
    await client?.connect()
    await client?.login('anna')
    await lab.advance('1 minute')
    const counts = async () => {
      const [{ logins, boots }] = await lab.usage('by=month')
      return [logins, boots]
    }
    equal(await counts(), [1, 0])
    await client?.disconnect()
    await lab.advance('1 minute')
    await client?.connect()
    await client?.login('anna')
    await lab.settle()
    equal(await counts(), [2, 1])
  }))

test('commands that fail are counted for the room of the computer', () =>
  withUsage({ clients: 2 }, async lab => {
    lab.clients[0]?.replyTo('POST /shell/run', {}, 500)
    await lab.post('/shell/run', { clients: lab.addresses, run: 'false', echo: false })
    await lab.advance('1 minute')
    is((await lab.usage('by=day'))[0].failures, 1)
  }))

test('hours become days when a day is over, and are deleted after the days of the setting', () =>
  withUsage({ clients: 1, settings: { hours_days: 31 } }, async lab => {
    await addToHour(lab, '2026-01-10T10', { 1: { has: 3600, use: 1800, logins: 3 } }, { from: 0, until: 3600 })
    await addToHour(lab, '2026-01-10T11', { 1: { has: 3600, on: 1800 } }, { from: 3600, until: 7200 })
    await lab.advance('10 minutes')
    const before = await lab.usage('by=day&from=2026-01-01&to=2026-01-31')
    equal([before.length, before[0].observed, before[0].in_use, before[0].logins], [1, 2, 0.5, 3])
    await lab.pauseFor('1 hour')
    equal((await lab.collections.hours.list({ prefix: '2026-01' })).length, 0)
    const [day] = await lab.collections.days.list()
    equal(day, { key: '2026-01-10/0', version: day?.version, value: day?.value })
    equal(await lab.usage('by=day&from=2026-01-01&to=2026-01-31'), before)
    const months = await lab.usage('by=month&from=2026-01-01&to=2026-03-31')
    equal(
      months.map(({ time }: { time: string }) => time),
      ['2026-01', '2026-03'],
    )
    await lab.pauseFor(86_400_000)
    const [today] = await lab.usage('by=day&from=2026-03-02&to=2026-03-02')
    ok(today.observed > 0.1 && today.observed < 0.3)
    equal(
      (await lab.collections.days.list()).map(({ key }) => key),
      ['2026-01-10/0', '2026-03-02/0'],
    )
  }))

test('a clock that was years ahead for a while hides no day', () =>
  withUsage({ clients: 0 }, async lab => {
    await addToHour(lab, '2026-03-01T10', { 1: { has: 3600, use: 1800 } }, { from: 0, until: 3600 })
    await lab.collections.progress.put('days', { day: '2030-01-01' })
    const before = await lab.usage('by=day&from=2026-03-01')
    is(before.length, 1)
    await lab.pauseFor('1 minute')
    equal((await lab.collections.progress.get('days'))?.value, { day: '2026-03-01' })
    equal(await lab.usage('by=day&from=2026-03-01'), before)
  }))

test.run()

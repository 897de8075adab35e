// What the pack usage answers: lists, views, free computers and the dashboard for Grafana.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { addToHour } from '../../commands/packs/usage/_usage-hours.ts'
import { withUsage } from '../harness/usage-lab.ts'

const test = suite('answers of usage')

test('a caller sees its rooms only, in all answers', () =>
  withUsage({ clients: 1 }, async lab => {
    await lab.accepted('/room/add', { name: '=Other "room"', netmask: '255.255.255.0', center: 1 })
    const other = { name: 'pc-other', ip: '127.99.0.1', mac: '02007f630001', room: 2 }
    await lab.accepted('/client/add', other)
    await lab.advance('10 minutes')
    const limited = await lab.limitedCaller()
    const rooms = async (headers?: Record<string, string>) =>
      (await lab.get('/usage?by=day', headers)).json.usage.map(({ room }: { room: number }) => room)
    equal(await rooms(), [1, 2])
    equal(await rooms(limited), [1])
    is((await lab.get('/usage?room=2', limited)).status, 403)
    is((await lab.get('/usage?room=2')).json.usage.length, 1)
    for (const view of [
      'usage-by-room',
      'usage-hours',
      'usage-rooms',
      'usage-systems',
      'usage-energy',
      'usage-summary',
    ]) {
      const [all, own] = [await lab.get(`/view/${view}`), await lab.get(`/view/${view}`, limited)]
      equal([all.status, own.status], [200, 200], `${view}: ${all.reason}${own.reason}`)
      ok(!own.text.includes('Other'), view)
    }
    ok((await lab.get('/view/usage-by-room')).text.includes('Other'))
    ok(!(await lab.get('/usage/metrics', limited)).text.includes('Other'))
    match((await lab.get('/usage/metrics')).text, 'fleet_room_computers{id="2",room="=Other \\"room\\""} 1\n')
    const csv = (await lab.get('/usage?by=day&format=csv')).text.trim().split(/\r?\n/)
    match(csv[0] ?? '', /^time,room,name,computers,observed,on,in_use,/)
    is(csv.length, 3)
    ok(!csv[2]?.includes(',=Other'))
  }))

test('long lists come in pages, and as CSV at once', () =>
  withUsage({ clients: 0 }, async lab => {
    for (let hour = 0; hour < 26; hour += 1) {
      const rooms = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [index + 1, { has: 3600, use: 60 }]))
      const time = new Date(Date.UTC(2026, 1, 1, hour)).toISOString().slice(0, 13)
      await addToHour(lab, time, rooms, { from: 0, until: 3600 })
    }
    const query = 'by=hour&from=2026-01-31&to=2026-02-03'
    const counts: number[] = []
    for (let after: string | undefined = '0'; after !== undefined; ) {
      const page: { usage: object[]; next?: string } = (await lab.get(`/usage?${query}&after=${after}`)).json
      counts.push(page.usage.length)
      after = page.next
    }
    equal(counts, [500, 500, 40])
    is((await lab.get(`/usage?${query}&format=csv`)).text.trim().split('\n').length, 1041)
  }))

test('periods that make no sense are refused', () =>
  withUsage({ clients: 0 }, async lab => {
    const reasonOf = async (query: string) => (await lab.get(`/usage?${query}`)).reason
    match(await reasonOf('from=2026-03-02&to=2026-03-01'), 'expected days in their order')
    match(await reasonOf('from=2026-13-45'), 'expected days in their order')
    match(await reasonOf('from=yesterday'), 'expected a day such as 2026-03-02')
    match(await reasonOf('by=hour&from=2025-01-01&to=2026-01-01'), 'expected at most 92 days')
    is((await lab.get('/usage?by=hour&from=2026-01-01&to=2026-04-02')).status, 200)
    const { status, reason } = await lab.post('/pack/settings', { pack: 'usage', settings: { free_seats: [7] } })
    equal([status, reason], [400, 'expected ids of rooms, there is no room 7'])
  }))

test('free computers of a room are shown without a token, of the rooms that the setting names', () =>
  withUsage({ clients: 2 }, async lab => {
    const open = (path: string) => lab.get(path, { Authorization: '' })
    for (const path of ['/free-seats', '/free-seats/1', '/free-seats/1/now', '/free-seats/page.js'])
      is((await open(path)).status, 404)
    await lab.accepted('/room/update', { room: 1, name: '<b>Lab</b>', netmask: '255.255.255.0', center: 1 })
    await lab.accepted('/pack/settings', { pack: 'usage', settings: { free_seats: [1] } })
    await lab.clients[0]?.login('anna')
    const { status, text, headers } = await open('/free-seats/1')
    is(status, 200)
    match(String(headers['content-security-policy']), "default-src 'self'")
    ok(text.includes('&lt;b&gt;Lab') && !text.includes('<b>') && text.includes('<p id="free" role="status">1</p>'))
    const seats = (await open('/free-seats/1/now')).json
    equal(seats, { room: '<b>Lab</b>', free: 1, computers: 2 })
    for (const path of ['/free-seats/2', '/free-seats/01', '/free-seats/1/x', '/free-seats/1/now/x', '/free-seats/x'])
      is((await open(path)).status, 404, path)
    for (const path of ['/free-seats/page.css', '/free-seats/page.js']) is((await open(path)).status, 200)
    is((await open('/usage')).status, 401)
  }))

test('the dashboard for Grafana asks for metrics and labels that there are', () =>
  withUsage({ clients: 1 }, async lab => {
    await lab.post('/shell/run', { clients: lab.addresses, run: 'true', echo: false })
    const metrics = `${(await lab.get('/metrics')).text}${(await lab.get('/usage/metrics')).text}`
    const { panels, templating } = (await lab.get('/usage/grafana')).json
    is(templating.list[0].name, 'datasource')
    is(new Set(panels.map(({ id }: { id: number }) => id)).size, panels.length)
    for (const { targets, title } of panels) {
      for (const { expr, legendFormat, datasource } of targets) {
        is(datasource.uid, '$' + '{datasource}')
        const names: string[] = expr.match(/fleet_[a-z_]+/g)
        const lines = metrics.split('\n').filter(line => line.startsWith(`${names[0]}{`))
        ok(lines.length > 0, `${title}: ${expr}`)
        for (const name of names) ok(metrics.includes(`# TYPE ${name} `), `${title}: ${name}`)
        const labels = [...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, list = '']) => list.split(', '))
        for (const label of [...labels, ...(/\w+(?=\}\})/.exec(legendFormat) ?? [])])
          ok(
            lines.every(line => line.includes(`${label}="`)),
            `${title}: ${label}`,
          )
      }
    }
  }))

test.run()

// `fleet view`: the views of modules as tables, and as JSON.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startViews, viewSource } from '../harness/site-views.ts'

const points = `points: [{ time: '2026-09-14T08:00:00Z', value: 1 }, { time: '2026-09-14T09:00:00Z', value: 8 }]`
const lab = await startViews({
  disks: viewSource('computer', `data({ client }) { return [{ label: client, value: 31, tone: 'bad' }] }`),
  marks: viewSource('client-badge', `data({ clients: [one] }) { return new Map([[one, { text: 'hot' }]]) }`),
  figure: viewSource('overview', `data() { return { value: 26, unit: '°C', tone: 'warning', ${points} } }`),
  rules: viewSource(
    'page',
    `data({ query, after }) {
      const columns = [{ key: 'name', title: 'Name' }, { key: 'on', title: 'On' }]
      return { columns, rows: [{ name: query + after, on: true }], next: 'b' }
    }`,
  ),
  load: viewSource('chart', `data() { return { unit: '%', series: [{ title: 'cpu', ${points} }] } }`),
})
await lab.addComputer('127.0.5.1', { name: 'pc-1' })
const { fleet, remove } = openShellOf(lab)
const out = async (...args: string[]) => (await fleet('view', ...args)).out

const test = suite('fleet view')
test.after(async () => {
  remove()
  await lab.stop()
})

test('without a name, or with list, the views are listed', async () => {
  match(await out('list'), /^NAME +VIEW +TITLE .*\ndisks +computer +The computer +disks +ready/)
  is(await out(), await out('list'))
})

test('a computer is named by its name or address', async () => {
  match(await out('disks', '--client', 'pc-1'), /^LABEL +VALUE +TONE\n127\.0\.5\.1 +31 +bad\n$/)
  match(await out('marks', '--client', '127.0.5.1'), /^CLIENT +TEXT.*\n127\.0\.5\.1 +hot *\n$/)
})

test('a figure is a line, with how it was', async () => {
  is(await out('figure'), 'The overview: 26 °C (warning)\n▁█\n')
})

test('a page is a table, and says how to read on', async () => {
  match(await out('rules', '--query', 'disk', '--after', 'a'), /^NAME +ON\ndiska +yes\nthere are more: --after 'b'\n$/)
})

test('a chart is a line of blocks and a table of points', async () => {
  match(await out('load', '--length', '7d'), /^cpu {2}▁█\nTIME +CPU \(%\)\n.* 1\n.* 8\n$/)
  const { code, error } = await fleet('view', 'load', '--length', 'long')
  equal([code, error.includes('--length: expected a time such as 30m, 12h or 7d, got long')], [2, true])
})

test('--json prints the answer, a refusal its reason', async () => {
  const { json } = await lab.call('GET /view/figure')
  equal(JSON.parse(await out('figure', '--json')), json)
  const { code, error } = await fleet('view', 'gone')
  equal([code, error.includes('there is no view gone')], [1, true])
})

test.run()

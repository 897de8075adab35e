// Views of a site over the API: what each kind is asked with and answers, and who may see it.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { inside, outside } from '../harness/lab.ts'
import { startViews, viewSource } from '../harness/site-views.ts'

const [here = '', here2 = ''] = inside
const [there = ''] = outside

const rule = (action: string, more = '') =>
  `export default { summary: 'Change', route: 'POST /rule-${action}', ${more} payload: { type: 'object' }, answer() {} }\n`

const site = await startViews(
  {
    'rule-delete': rule('delete', 'destructive: true,'),
    disks: viewSource(
      'computer',
      `data({ client }) { return [{ label: 'sda', value: 31, tone: 'bad' }, { label: 'of', value: client }] }`,
    ),
    nothing: viewSource('computer', `data() {}`),
    marks: viewSource(
      'client-badge',
      `data({ clients }) { return new Map([...clients, '10.9.9.9'].map(each => [each, { text: 'hot', title: String(clients.length) }])) }`,
    ),
    heat: viewSource('overview', `data() { return { value: 21.5, unit: '°C' } }`),
    secret: viewSource('overview', `data() { return { value: 1 } }`, `access: 'admin',`),
    rules: viewSource(
      'page',
      `data({ query, after, rights }) {
      const rows = [{ name: query, page: after, who: rights.name, on: true, last: null }]
      const action = { title: 'Delete', command: 'rule-delete', payload: { now: true }, rowKeys: ['name'] }
      return { columns: [{ key: 'name', title: 'Name' }], rows, next: 'b', actions: [action, { ...action, form: 'page' }, { ...action, command: 'gone' }] }
    }`,
      'scoped: true,',
    ),
    load: viewSource(
      'chart',
      `data({ from, until, step }) {
      return { unit: String(step), series: [{ title: 'a', points: [{ time: new Date(from).toISOString(), value: until - from }] }] }
    }`,
    ),
  },
  { scope: true },
)
const assistant = await site.addToken('assistant', 'operate')
const reader = await site.addToken('reader', 'read', {})

const answers = suite('answers of views')

answers('a view of one computer is asked for its address', async () => {
  const lines = [
    { label: 'sda', value: 31, tone: 'bad' },
    { label: 'of', value: here },
  ]
  equal((await site.view(`disks?client=${here}`)).json, { view: 'computer', title: 'The computer', lines })
  equal((await site.view(`nothing?client=${here}`)).json.lines, [])
  const { status, headers } = await site.view('disks')
  equal([status, headers['x-reason']], [400, 'client: expected the address of a computer, got none'])
})

answers('marks are asked once for all computers, or for those that are named', async () => {
  const markOf = (client: string, n: number) => ({ client, text: 'hot', title: String(n) })
  const all = [...inside, ...outside]
  equal(
    (await site.view('marks')).json.badges,
    all.map(client => markOf(client, all.length)),
  )
  equal((await site.view(`marks?clients=${here},${there}`)).json.badges, [markOf(here, 2), markOf(there, 2)])
  equal((await site.call('GET /view/marks', { clients: [here] })).json.badges, [markOf(here, 1)])
})

answers('a page is asked with a text and where it goes on, and names the routes of its actions', async () => {
  const { json } = await site.view('rules?query=disk&after=a')
  equal(json.rows, [{ name: 'disk', page: 'a', who: 'admin', on: true, last: null }])
  const action = { title: 'Delete', route: 'POST /rule-delete', destructive: true, payload: { now: true } }
  const expected = { ...action, row_keys: ['name'] }
  equal([json.next, json.actions], ['b', [expected, { ...expected, form: 'page' }]])
})

answers('a chart is asked with milliseconds, by default for a day', async () => {
  const { json } = await site.view('load?from=2026-11-01T00:00:00Z&until=2026-11-01T01:00:00Z&step=60')
  equal([json.unit, json.series], ['60000', [{ title: 'a', points: [{ time: json.from, value: 3_600_000 }] }]])
  is((await site.view('load')).json.series[0].points[0].value, 86_400_000)
  is((await site.view('load?length=60')).json.series[0].points[0].value, 60_000)
  for (const [query, reason] of [
    ['from=noon', 'from: expected an ISO time, got noon'],
    ['from=2026-11-02T00:00:00Z&until=2026-11-01T00:00:00Z', 'from: expected a time before until, got a later one'],
    ['step=1', 'step: expected at most 1000 points, got more'],
  ])
    is((await site.view(`load?${query}`)).headers['x-reason'], reason)
})

answers.run()

const rights = suite('who may see views')

const namesOf = (json: { views: { name: string }[] }) => json.views.map(({ name }) => name).join(' ')

rights('the list has what the caller may see', async () => {
  const { json } = await site.call('GET /views')
  is(namesOf(json), 'disks heat load marks nothing rules secret')
  equal(json.views[1], {
    name: 'heat',
    pack: 'heat',
    view: 'overview',
    title: 'The overview',
    summary: 'Show overview',
    state: 'ready',
    runs: 0,
    failures: 0,
  })
  is(namesOf((await reader.call('GET /views')).json), 'disks heat load marks nothing rules')
  is(namesOf((await assistant.call('GET /views')).json), 'disks marks nothing rules')
})

rights('a view that the caller may not see is 403, one that is not there 400', async () => {
  is((await reader.call('GET /view/secret')).status, 403)
  is((await assistant.call('GET /view/heat')).status, 403)
  equal(
    [(await site.view('gone')).status, (await site.view('gone')).headers['x-reason']],
    [400, 'view: there is no view gone'],
  )
})

rights('a limited caller learns nothing of computers outside', async () => {
  const { json } = await assistant.call('GET /view/marks')
  equal(
    json.badges,
    [here, here2].map(client => ({ client, text: 'hot', title: '2' })),
  )
  equal((await assistant.call(`GET /view/marks?clients=${here},${there}`)).json.badges.length, 1)
  is((await assistant.call(`GET /view/disks?client=${here}`)).status, 200)
  is((await assistant.call(`GET /view/disks?client=${there}`)).status, 403)
})

rights('actions that the caller may not use are left out', async () => {
  equal((await reader.call('GET /view/rules')).json.actions, [])
  match((await assistant.call('GET /view/rules')).json.rows[0].who, 'token assistant')
})

rights.after(() => site.stop())
rights.run()

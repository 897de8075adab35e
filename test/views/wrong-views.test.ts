// Views that throw, hang, or return what cannot be drawn: one line in the log, a refusal with the reason, no harm.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { LoadedView } from '../../host/contract/loaded-module.ts'
import { isRefusal } from '../../host/contract/refusal.ts'
import { createLog } from '../../host/log/log.ts'
import { AskedViews } from '../../host/views/asked-views.ts'
import { startViews, viewSource } from '../harness/site-views.ts'

const test = suite('wrong views')

const wrong: Readonly<Record<string, [kind: string, data: string, reason: string]>> = {
  number: ['computer', 'return 5', 'data: expected a list, got 5'],
  line: ['computer', `return [{ label: 'a', value: {} }]`, '[0].value: expected a string or a number, got {}'],
  key: ['computer', `return [{ label: 'a', valeu: 1, value: 2 }]`, '[0]: expected value, got unknown key "valeu"'],
  script: ['overview', `return { value: '1', html: '<b>' }`, 'data: expected unit, got unknown key "html"'],
  'not-a-number': [
    'overview',
    'return { value: 0 / 0 }',
    'value: expected a text of at most 2000 characters or a finite number, got NaN',
  ],
  list: ['client-badge', 'return []', 'data: expected a Map of addresses to marks, got something else'],
  rows: [
    'page',
    `return { columns: [{ key: 'a', title: 'A' }], rows: Array.from({ length: 50_000 }, () => ({ a: 1 })) }`,
    'rows: expected at most 1000 elements, got 50000',
  ],
  time: [
    'chart',
    `return { series: [{ title: 'a', points: [{ time: 'noon', value: 1 }] }] }`,
    'series[0].points[0].time: expected an ISO time, got "noon"',
  ],
  throws: ['overview', `throw new Error('no sensor')`, 'no sensor'],
  rejects: ['overview', `return Promise.reject(new Error('no network'))`, 'no network'],
  'has-cause': [
    'overview',
    `throw new Error('fetch failed', { cause: new Error('no route') })`,
    'fetch failed: no route',
  ],
}

const site = await startViews(
  Object.fromEntries(
    Object.entries(wrong).map(([name, [kind, data]]) => [`view-${name}`, viewSource(kind, `data() { ${data} }`)]),
  ),
)

const linesAbout = (name: string) =>
  site.log.filter(line => line.includes('view: ') && line.includes(`view-${name}.js`))

for (const [name, [, , reason]] of Object.entries(wrong))
  test(`${name}: 500 with the reason, and one line in the log until the reason changes`, async () => {
    const { status, headers, text } = await site.view(`view-${name}?client=127.0.31.1`)
    equal([status, headers['x-reason'], text], [500, `view view-${name}: ${reason}`, ''])
    await site.view(`view-${name}?client=127.0.31.1`)
    equal([linesAbout(name).length, linesAbout(name)[0]?.includes(reason)], [1, true])
  })

test('the list says which views fail, until they are mended', async () => {
  const entry = async () => {
    const { json } = await site.call('GET /views')
    return json.views.find(({ name }: { name: string }) => name === 'view-throws')
  }
  const { state, problem, runs, failures, mean_ms: mean } = await entry()
  equal([state, problem, runs, failures, mean >= 0], ['failing', 'no sensor', 2, 2, true])
  const loaded = site.event('module-loaded', { file: site.path('view-throws') })
  site.save('view-throws', viewSource('overview', 'data() {}'))
  await loaded
  equal((await site.view('view-throws')).json, { view: 'overview', title: 'The overview' })
  is((await entry()).state, 'ready')
})

test.after(() => site.stop())
test.run()

const asking = suite('views that do not answer')

const runs = { add() {} }
// `as`: nothing else of it is used.
const loaded = { name: 'slow', file: '/site/slow.js', version: 1 } as LoadedView

asking('a view that does not answer in time is refused, and later ones are asked', async () => {
  const lines: string[] = []
  const views = new AskedViews(
    createLog(line => lines.push(line)),
    runs,
    20,
  )
  const late = await views.ask(loaded, () => new Promise(() => {}))
  equal(isRefusal(late) && [late.status, late.refused], [500, 'view slow: no answer after 0.02 s'])
  match(lines.join(), '/site/slow.js: version 1, no answer after 0.02 s')
  const answer = await views.ask(loaded, async () => ({ view: 'overview', title: 'Slow' }))
  equal([answer, views.problemOf(loaded)], [{ view: 'overview', title: 'Slow' }, undefined])
})

asking('a view that never answers is asked 20 times at most', async () => {
  const views = new AskedViews(
    createLog(() => {}),
    runs,
    1,
  )
  let asked = 0
  const never = () => {
    asked += 1
    return new Promise<never>(() => {})
  }
  for (let n = 0; n < 20; n += 1) await views.ask(loaded, never)
  const refusal = await views.ask(loaded, never)
  equal([asked, isRefusal(refusal) && refusal.status], [20, 429])
})

asking.run()

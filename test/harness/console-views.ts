// A host with a view of each kind, commands for their rows, and a pack with settings and a hook, for tests of the console.
import { startViews, viewSource } from './site-views.ts'

const settings = `settings: { type: 'object', required: ['server'], properties: {
  server: { type: 'object', required: ['host'], properties: {
    host: { type: 'string' }, password: { type: 'string', writeOnly: true } } },
  level: { enum: ['all', 'none'], default: 'all' },
  rooms: { type: 'array', default: [], items: { type: 'integer', idOf: 'room' } } } }`

const sources = {
  disks: viewSource('computer', `data() { return [{ label: 'sda', value: 'worn', tone: 'bad' }] }`),
  nothing: viewSource('computer', `data() {}`).replace('The computer', 'Never shown'),
  marks: viewSource(
    'client-badge',
    `data({ clients: [one] }) { return new Map([[one, { text: 'hot', tone: 'bad' }]]) }`,
  ),
  figure: viewSource(
    'overview',
    `data() { const at = n => ({ time: new Date(n).toISOString(), value: n }); return { value: 26.5, unit: '°C', points: [at(1), at(2)] } }`,
  ),
  broken: viewSource('overview', `data() { throw new Error('no sensor') }`),
  rules: viewSource(
    'page',
    `data() {
      const rows = globalThis.ruleNames.map((name, n) => ({ name, n: 10 - n, marks: 'new\\nold' }))
      const columns = [{ key: 'name', title: 'Name' }, { key: 'n', title: 'Number', type: 'number' }]
      const add = { title: 'Add', command: 'rule-add', payload: {}, form: 'page' }
      const change = { title: 'Change', command: 'rule-change', payload: {}, rowKeys: ['name'], form: 'row' }
      return { columns, rows, actions: [add, change, { title: 'Delete', command: 'rule-delete', payload: {}, rowKeys: ['name'] }] }
    }`,
  ),
  'rule-add': `const payload = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
    export default { summary: 'Add', route: 'POST /rule/add', payload,
      answer({ payload: { name } }) {
        globalThis.ruleNames.push(name)
        return { secret: 'whsec_1' } } }`,
  'rule-change': `const marks = { type: 'array', items: { enum: ['new', 'old', 'odd'] } }
    const payload = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, marks } }
    export default { summary: 'Change', route: 'POST /rule/change', payload, answer: ({ payload }) => payload }`,
  'rule-delete': `globalThis.ruleNames = ['one', 'two', 'three']
    const payload = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
    export default { summary: 'Delete', route: 'POST /rule/delete', confirm: 'ask', payload,
      answer({ payload }) { globalThis.ruleNames = globalThis.ruleNames.filter(name => name !== payload.name) } }`,
  load: viewSource(
    'chart',
    `data({ from, until }) {
      const points = [from, until].map((time, value) => ({ time: new Date(time).toISOString(), value }))
      return { unit: '%', series: [{ title: 'Room 1', points }, { title: 'Room 2', points }] }
    }`,
  ),
  tidy: `export default { summary: 'Tidy up', every: '1 day', ${settings}, run() {} }`,
}

export const startConsoleViews = () => startViews(sources)

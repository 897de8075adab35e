// Writes a site's folder with views, and starts a lab with it.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LabOptions, startLab } from './lab.ts'

/** The source of a view file; `data` is a method, `more` further keys. */
export const viewSource = (view: string, data: string, more = '') =>
  `export default { summary: 'Show ${view}', title: 'The ${view}', view: '${view}', ${more} ${data} }\n`

const points = `points: [{ time: '2026-09-14T08:00:00Z', value: 1 }]`
export const viewOfEachKind = {
  card: viewSource('computer', `data() { return [{ label: 'sda', value: 1, tone: 'good' }] }`),
  marks: viewSource(
    'client-badge',
    `data({ clients: [one] }) { return new Map([[one, { text: 'hot', title: '41' }]]) }`,
  ),
  figure: viewSource('overview', `data() { return { value: 1, unit: '°C', ${points} } }`),
  rules: viewSource(
    'page',
    `data() {
      const actions = [{ title: 'Drain', command: 'drain', payload: {}, rowKeys: ['a'] }]
      return { columns: [{ key: 'a', title: 'A', type: 'number' }], rows: [{ a: 1 }], next: 'b', actions }
    }`,
  ),
  load: viewSource('chart', `data() { return { unit: '%', series: [{ title: 'a', ${points} }] } }`),
}

/** `files`: sources by their names without extension. */
export async function startViews(files: Readonly<Record<string, string>>, options: LabOptions = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-views-')))
  const path = (name: string) => join(folder, `${name}.js`)
  const save = (name: string, source: string) => writeFileSync(path(name), source)
  for (const [name, source] of Object.entries(files)) save(name, source)
  const lab = await startLab({ ...options, options: { commands: [folder] } })
  return {
    ...lab,
    path,
    save,
    view: (path: string) => lab.call(`GET /view/${path}`),
    async stop() {
      await lab.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

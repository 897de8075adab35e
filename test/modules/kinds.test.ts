// Kinds of module files: the key that says the kind, and what each kind must have.
import { suite } from 'uvu'
import { equal, is, throws } from 'uvu/assert'
import type { LoadedFile } from '../../host/contract/loaded-file.ts'
import { placeOf } from '../../host/modules/module-files.ts'
import { validateModule } from '../../host/modules/validate.ts'
import { startSite } from '../harness/site-folder.ts'

const site = await startSite()
const loose = placeOf('/site/tidy.ts')
const check = (exported: object) => validateModule(loose, exported)
const hook = (keys: object) => check({ summary: 'Tidy up', ...keys })
const run = () => undefined

const kinds = suite('kinds')

kinds('one key says what a file is', () => {
  const command = { summary: 'Answer', route: 'GET /x', answer: run }
  const view = { summary: 'Show', title: 'Disks', view: 'overview', data: run }
  const files = [command, { summary: 'Tidy', every: '1 day', run }, view]
  equal(
    files.map(file => check(file).module.kind),
    ['command', 'hook', 'view'],
  )
  throws(() => check({ ...command, every: '1 day' }), /^module: expected one of route .*, got route and every$/)
  throws(() => check({ summary: 'x' }), /^module: expected route \(a command\), .*, got none of them$/)
  throws(() => check({ summary: 'x', evry: '1 day' }), 'module: expected every, got unknown key "evry"')
})

kinds('a misspelt key of a hook or view is named with the one that was meant', () => {
  throws(() => hook({ every: '1 day', runn: run }), 'hook: expected run, got unknown key "runn"')
  throws(
    () => check({ summary: 'x', view: 'page', titel: 'X', data: run }),
    'view: expected title, got unknown key "titel"',
  )
})

kinds('absent keys of a payload or query get the defaults of the schema before it is checked', () => {
  const count = { type: 'integer', default: 5 }
  const size = { type: 'object', required: ['rows'], properties: { rows: count }, default: {} }
  const payload = { type: 'object', required: ['count', 'size'], properties: { count, size } }
  const { module } = check({ summary: 'Answer', route: 'POST /x', payload, query: payload, answer: run })
  const values = { count: 3 }
  if (module.kind === 'command') is(module.checkPayload?.(values), undefined)
  equal(values, { count: 3, size: { rows: 5 } })
})

kinds.run()

const times = suite('times of hooks')

times('every is read to milliseconds, from 1 second to 366 days', () => {
  const intervalOf = (every: string) => {
    const { module } = hook({ every, run })
    return module.kind === 'hook' && module.interval
  }
  equal(['1 second', '30 seconds', '15 minutes', '2 hours', '1 day'].map(intervalOf), [1e3, 3e4, 9e5, 72e5, 864e5])
  for (const every of ['0 seconds', '1.5 hours', '15min', '367 days', 'day'])
    throws(
      () => intervalOf(every),
      `every: expected a time as 30 seconds, 15 minutes, 2 hours or 1 day, got "${every}"`,
    )
})

times('cron has five fields, or six with seconds first, and must come once', () => {
  const next = (cron: string) => {
    const { module } = hook({ cron, run })
    const after = new Date(2030, 0, 1, 12, 0, 30).getTime()
    return module.kind === 'hook' && new Date(module.nextTime?.(after) ?? 0)
  }
  equal([next('0 20 * * *'), next('*/10 * * * * *')], [new Date(2030, 0, 1, 20), new Date(2030, 0, 1, 12, 0, 40)])
  for (const cron of ['0 20 * *', '0 61 * * *', '0 0 30 2 *', 'noon'])
    throws(() => next(cron), /^cron: expected times as 0 20 \* \* 1-5, got "/)
})

times('an unknown event type is refused with the nearest one', () => {
  throws(() => hook({ on: ['job-finish'], run }), 'on[0]: expected job-finished, got "job-finish"')
  is(hook({ on: ['job-finished'], run }).module.kind, 'hook')
})

times.run()

const packs = suite('packs of one file')

packs('each hook outside of packs is a pack, and what declares settings or collections', () => {
  const settings = { type: 'object', properties: { hour: { type: 'integer' } } }
  const { ownPack } = hook({ every: '1 day', run, settings })
  is(ownPack?.checkSettings?.({ hour: 'x' }), 'hour: expected a whole number, got "x"')
  is(ownPack?.checkSettings?.({ hour: 7 }), undefined)
  equal(hook({ every: '1 day', run }).ownPack?.checkSettings, undefined)
  is(check({ summary: 'Answer', route: 'GET /x', answer: run }).ownPack, undefined)
  throws(
    () => validateModule(placeOf('/site/lab/tidy.ts', true), { summary: 'x', every: '1 day', run, settings }),
    'settings: expected it in the file pack of this folder, got it here',
  )
})

packs('settings may be addresses of mail and of the web', () => {
  const properties = { mail: { type: 'string', format: 'email' }, url: { type: 'string', format: 'uri' } }
  const { ownPack } = hook({ every: '1 day', run, settings: { type: 'object', properties } })
  is(ownPack?.checkSettings?.({ mail: 'lab@example.org', url: 'https://example.org/x' }), undefined)
  is(ownPack?.checkSettings?.({ mail: 'lab' }), 'mail: expected an address of a mail, got "lab"')
  is(ownPack?.checkSettings?.({ url: 'x' }), 'url: expected an address such as https://host/path, got "x"')
})

packs('pack.ts of a folder is a pack by its name', () => {
  const place = placeOf('/site/lab/pack.ts', true)
  const pack = { contract: 3, summary: 'Lab', version: '1.0.0' }
  equal([place.name, validateModule(place, pack).module.kind], ['lab', 'pack'])
  throws(() => validateModule(place, { ...pack, version: '1' }), 'version: expected a version as 1.2.0, got "1"')
})

packs.run()

const service = suite('modules in service')

service('hooks, views and packs are in service when they are saved, and go with the file', async () => {
  const { registry } = site.lab.host
  let changes = 0
  const end = registry.onChange(() => {
    changes += 1
  })
  await site.save('tidy.ts', `export default { summary: 'Tidy', every: '1 day', run() {} }\n`)
  await site.save('disks.ts', `export default { summary: 'Disks', title: 'Disks', view: 'overview', data() {} }\n`)
  const namesOf = (list: readonly LoadedFile[]) => list.map(({ name }) => name).join()
  const names = () => [namesOf(registry.hooks), namesOf(registry.views), namesOf(registry.packs)]
  equal([...names(), changes], ['tidy', 'disks', 'tidy', 2])
  const [loaded] = registry.hooks
  if (!loaded) throw new Error('expected a hook, got none')
  const signal = registry.signalOf(loaded)
  equal([registry.findHook('tidy/tidy'), registry.findView('disks/disks')?.name], [loaded, 'disks'])
  const broken = await site.save('tidy.ts', `export default { summary: 'Tidy', every: '1 dya', run() {} }\n`)
  equal([broken.type, names()[0], signal.aborted], ['module-failed', 'tidy', false])
  await site.lab.logged(/tidy\.ts:1: every: expected .*; version 1 stays in service/)
  end()
})

service('a hook before a command that no file has is in service, with a line that names the nearest', async () => {
  const source = `export default { summary: 'x', before: ['image-restor', 'setup'], check() {} }\n`
  is((await site.save('careful.ts', source)).type, 'module-loaded')
  await site.lab.logged(/careful\.ts: before: there is no command image-restor, the nearest is image-restore\n/)
  is(site.lab.log.filter(line => line.includes('there is no command')).length, 1)
})

service('the list of modules has kind, pack, contract and state', async () => {
  await site.save('broken.ts', `export default { summary: 'x', every: 1, run() {} }\n`)
  const { modules } = (await site.lab.call('GET /modules')).json
  const of = (file: string) => {
    const found = modules.find((each: { file: string }) => each.file === site.path(file))
    return [found.kind, found.pack, found.contract, found.state, found.does]
  }
  equal(of('tidy.ts'), ['hook', 'tidy', 3, 'in service', 'runs every 1 day'])
  equal(of('disks.ts'), ['view', undefined, 3, 'in service', 'shows Disks (overview)'])
  equal(of('broken.ts'), [undefined, undefined, undefined, 'broken', undefined])
  const wol = modules.find(({ command }: { command: string }) => command === 'wol')
  equal([wol.kind, wol.pack, wol.contract, wol.does], ['command', undefined, 2, 'serves POST /wol'])
})

service.after(() => site.stop())
service.run()

// Packs: folders with a pack.ts in a command folder, whose files are in service together.
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startSite, textCommand } from '../harness/site-folder.ts'

const site = await startSite()
const { lab } = site
const { registry } = lab.host

const packFile = (summary: string, contract = 3) =>
  `export default { contract: ${contract}, summary: '${summary}', version: '1.0.0' }\n`
const hook = (summary: string) => `export default { summary: '${summary}', every: '1 day', run() {} }\n`
const status = async (path: string) => (await lab.call(`GET ${path}`)).status
const summaryOf = (pack: string) => registry.packs.find(({ name }) => name === pack)?.declared.summary

/** Writes a pack with a command; resolves when the command is in service. */
async function savePack(pack: string, route = `GET /${pack}-text`) {
  const loaded = site.nextEvent(`${pack}/${pack}-text.ts`, 'module-loaded')
  site.write(`${pack}/pack.ts`, packFile(pack))
  site.write(`${pack}/${pack}-text.ts`, textCommand(pack, route))
  await loaded
}

const test = suite('packs')
test.after(() => site.stop())

test('the files of a folder are in service as soon as it has a pack.ts, and go with it', async () => {
  site.write('door/door-text.ts', textCommand('door', 'GET /door-text'))
  const loaded = site.nextEvent('door/door-text.ts', 'module-loaded')
  await site.save('door/pack.ts', packFile('Doors'))
  await loaded
  is(await status('/door-text'), 200)
  equal([registry.find('door/door-text')?.pack, summaryOf('door')], ['door', 'Doors'])
  const removed = site.nextEvent('door/door-text.ts', 'module-removed')
  unlinkSync(site.path('door/pack.ts'))
  await removed
  equal([await status('/door-text'), summaryOf('door')], [404, undefined])
})

test('hooks or views with one file name are named with their packs, which log and refusals say', async () => {
  const view = "export default { summary: 'V', title: 'V', view: 'overview', data: () => ({ value: 1 }) }"
  await site.save('east/pack.ts', packFile('East'))
  await site.save('west/pack.ts', packFile('West'))
  for (const [file, source] of Object.entries({ sweep: hook('Sweep'), sum: view })) {
    await site.save(`east/${file}.ts`, source)
    await site.save(`west/${file}.ts`, source)
  }
  await lab.logged(/west\/sweep\.ts: hooks with this file name are east\/sweep and west\/sweep/)
  await lab.logged(/west\/sum\.ts: views with this file name are east\/sum and west\/sum/)
  is(lab.log.filter(line => line.includes('with this file name')).length, 2)
  const reason = async (route: string, payload?: object) => (await lab.call(route, payload)).headers['x-reason']
  is(await reason('POST /hook/run', { hook: 'sweep' }), 'hook: expected east/sweep or west/sweep, got sweep')
  is(await reason('GET /view/sum'), 'view: expected east/sum or west/sum, got sum')
  is(await reason('GET /view/east/sum'), undefined)
})

test('a broken pack.ts keeps its last good version, and the files stay in service', async () => {
  await savePack('kept')
  is((await site.save('kept/pack.ts', packFile('x').replace('version', 'verion'))).type, 'module-failed')
  await lab.logged(/kept\/pack\.ts:1: pack: expected version, got unknown key "verion"; version 1 stays in service/)
  equal([await status('/kept-text'), summaryOf('kept')], [200, 'kept'])
  is((await site.save('kept/pack.ts', packFile('mended'))).type, 'module-loaded')
  is(summaryOf('kept'), 'mended')
})

test('a new pack with a broken pack.ts has none of its files in service', async () => {
  site.write('new/new-text.ts', textCommand('new', 'GET /new-text'))
  const failed = site.nextEvent('new/pack.ts', 'module-failed')
  site.write('new/pack.ts', packFile('New', 4))
  await failed
  await lab.logged(/new\/pack\.ts:1: contract: expected at most 3, got 4: it needs a daemon that knows contract 4/)
  is(await status('/new-text'), 404)
  const loaded = site.nextEvent('new/new-text.ts', 'module-loaded')
  site.write('new/pack.ts', packFile('New'))
  await loaded
  is(await status('/new-text'), 200)
})

test('a broken file of a pack stops none of the others', async () => {
  await savePack('some')
  await site.save('some/broken.ts', 'export default { summary: \n')
  is(await status('/some-text'), 200)
})

test('a pack can be renamed, and replaced by a link', async () => {
  await savePack('old')
  const loaded = site.nextEvent('young/old-text.ts', 'module-loaded')
  renameSync(site.path('old'), site.path('young'))
  await loaded
  equal([await status('/old-text'), registry.find('old-text')?.pack], [200, 'young'])
  const removed = site.nextEvent('young/old-text.ts', 'module-removed')
  const away = join(dirname(site.folder), 'away')
  renameSync(site.path('young'), away)
  await removed
  const linked = site.nextEvent('linked/old-text.ts', 'module-loaded')
  symlinkSync(join(dirname(site.folder), 'later'), site.path('linked'))
  renameSync(away, join(dirname(site.folder), 'later'))
  await linked
  equal([await status('/old-text'), registry.find('old-text')?.pack], [200, 'linked'])
})

test('two packs cannot have one name: the first keeps it, also before a file outside of packs', async () => {
  await savePack('twice')
  const failed = await site.save('twice.ts', hook('Twice'))
  is('reason' in failed && failed.reason, `the pack twice belongs to ${site.path('twice/pack.ts')}`)
  const loaded = site.nextEvent('twice.ts', 'module-loaded')
  rmSync(site.path('twice'), { recursive: true })
  await loaded
  is(registry.findHook('twice')?.hook.summary, 'Twice')
})

test('hooks of one file name in two packs are named with their pack, and alone without it', async () => {
  for (const pack of ['one', 'two']) {
    site.write(`${pack}/pack.ts`, packFile(pack))
    await site.save(`${pack}/tidy.ts`, hook(pack))
  }
  const names = () => registry.hooks.map(({ name }) => name).filter(name => name.includes('tidy'))
  equal(names().sort(), ['one/tidy', 'two/tidy'])
  const removed = site.nextEvent('one/tidy.ts', 'module-removed')
  unlinkSync(site.path('one/tidy.ts'))
  await removed
  equal([names(), registry.findHook('two/tidy')?.name], [['tidy'], 'tidy'])
})

test('a pack that is saved in many steps is complete in the end', async () => {
  mkdirSync(site.path('steps'))
  for (const file of ['a', 'b']) site.write(`steps/steps-${file}.ts`, textCommand(file, `GET /steps-${file}`))
  const loaded = ['a', 'b'].map(file => site.nextEvent(`steps/steps-${file}.ts`, 'module-loaded'))
  site.write('steps/pack.ts', packFile('Steps'))
  await Promise.all(loaded)
  equal([await status('/steps-a'), await status('/steps-b')], [200, 200])
})

test('the name of a pack has small letters, digits and -', async () => {
  const failed = await site.save('My_Pack/pack.ts', packFile('x'))
  is(
    'reason' in failed && failed.reason,
    `${site.path('My_Pack/pack.ts')}:1: pack: expected a name of a-z, 0-9 and -, got My_Pack`,
  )
})

test.run()

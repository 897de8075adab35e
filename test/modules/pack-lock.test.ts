// With `commands_locked` only packs are loaded whose digest is in pack.lock.
import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { digestOf, readPackFiles } from '../../host/modules/pack-files.ts'
import { startSite, textCommand } from '../harness/site-folder.ts'

const site = await startSite({ commands_locked: true })
const { lab } = site

const packFile = "export default { contract: 3, summary: 'x', version: '1.0.0' }\n"
const textOf = async (path: string) => (await lab.call(`GET ${path}`)).json?.text
const entryOf = async (file: string) =>
  (await lab.call('GET /modules')).json.modules.find((each: { file: string }) => each.file === site.path(file))

/** Writes the digests that these packs have now. */
async function lock(...packs: string[]) {
  const entries: [string, object][] = []
  for (const pack of packs)
    entries.push([pack, { version: '1.0.0', digest: digestOf(await readPackFiles(site.path(pack))) }])
  site.write('pack.lock', JSON.stringify(Object.fromEntries(entries)))
}

const test = suite('commands_locked')
test.after(() => site.stop())

test('a file outside of packs, and a pack without an entry, are refused with the reason, and do not run', async () => {
  await site.save('loose.ts', `globalThis.hasRun = true\n${textCommand('loose', 'GET /loose')}`)
  await site.save('door/pack.ts', packFile)
  await site.save('door/door-text.ts', `globalThis.hasRun = true\n${textCommand('first', 'GET /door')}`)
  is(Reflect.get(globalThis, 'hasRun'), undefined)
  const [loose, door] = [await entryOf('loose.ts'), await entryOf('door/door-text.ts')]
  equal([loose.state, door.state], ['broken', 'broken'])
  match(
    loose.error,
    /^refused by commands_locked: expected a pack that is in .*pack\.lock, got a file outside of packs$/,
  )
  match(door.error, /: expected the pack door in .*pack\.lock, got no entry; after a review: fleet pack lock door$/)
  is(lab.log.filter(line => line.includes('door-text.ts: refused')).length, 1)
})

test('an entry takes effect at once', async () => {
  const loaded = site.nextEvent('door/door-text.ts', 'module-loaded')
  await lock('door')
  await loaded
  is(await textOf('/door'), 'first')
})

test('a change is not live until the lock has it, and the last good version stays in service', async () => {
  await site.save('door/door-text.ts', textCommand('second', 'GET /door'))
  const { state, error } = await entryOf('door/door-text.ts')
  is(state, 'in service')
  match(
    error,
    /: expected the digest of door in .*pack\.lock, got sha256-\w{8}…; after a review: fleet pack lock door$/,
  )
  is(await textOf('/door'), 'first')
  const loaded = site.nextEvent('door/door-text.ts', 'module-loaded')
  await lock('door')
  await loaded
  is(await textOf('/door'), 'second')
})

test('a file that is added to a locked pack is refused, and another file that is taken away again does no harm', async () => {
  await site.save('door/more.ts', textCommand('more', 'GET /more'))
  match((await entryOf('door/more.ts')).error, /expected the digest of door/)
  const removed = site.nextEvent('door/more.ts', 'module-removed')
  rmSync(site.path('door/more.ts'))
  await removed
  is(await textOf('/door'), 'second')
})

test('a pack that imports a file from outside of its folder is refused although it is locked', async () => {
  site.write('_helper.ts', "export const text = 'helper'\n")
  site.write('tool/pack.ts', packFile)
  site.write(
    'tool/tool-text.ts',
    "import { text } from '../_helper.ts'\n" +
      "export default { summary: 'x', route: 'GET /tool', answer: () => ({ text }) }\n",
  )
  const loaded = site.nextEvent('tool/pack.ts', 'module-loaded')
  await lock('door', 'tool')
  await loaded
  await lab.logged(
    /tool-text\.ts: refused by commands_locked: expected imports of files of the pack, got .*_helper\.ts/,
  )
  is((await lab.call('GET /tool')).status, 404)
})

test('a damaged pack.lock refuses what is new, and what is in service stays', async () => {
  const failed = site.nextEvent('door/door-text.ts', 'module-failed')
  site.write('pack.lock', '{')
  await failed
  match((await entryOf('door/door-text.ts')).error, /pack\.lock: cannot be read: /)
  is(await textOf('/door'), 'second')
})

test.run()

// A folder with thousands of broken files: other files that are saved meanwhile do not wait for them.
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { suite } from 'uvu'
import { is, ok } from 'uvu/assert'
import { startSite, textCommand } from '../harness/site-folder.ts'

export const runs = { seconds: 21 }

const brokenFiles = 1500

const site = await startSite()
const { lab } = site
const textOf = async (path: string) => (await lab.call(`GET ${path}`)).json?.text

let failed = 0
const loaded = new Set<string>()
lab.host.events.on(event => {
  if (event.type === 'module-failed') failed += 1
  if (event.type === 'module-loaded') loaded.add(event.file)
})

/** Without a time limit, as a busy machine may take long: the order of the events counts. */
async function untilLoaded(name: string): Promise<void> {
  while (!loaded.delete(site.path(name))) await wait(5)
}

const test = suite('many files')
test.after(() => site.stop())

test('a file in service and a new one are loaded before thousands of broken files, and these are all reported', async () => {
  site.write('served.ts', textCommand('first', 'GET /served'))
  await untilLoaded('served.ts')
  for (let number = 0; number < brokenFiles; number += 1) site.write(`broken${number}.ts`, 'export default {')
  site.write('served.ts', textCommand('second', 'GET /served'))
  await untilLoaded('served.ts')
  ok(failed < brokenFiles, `${failed} broken files were loaded before`)
  is(await textOf('/served'), 'second')
  site.write('zz-new.ts', textCommand('new', 'GET /new'))
  await untilLoaded('zz-new.ts')
  is(await textOf('/new'), 'new')
  await lab.host.loader.refresh()
  is(failed, brokenFiles)
})

test('a file that was broken before and one that still waits are loaded before the others when they are mended', async () => {
  await site.save('amended.ts', 'export default {')
  failed = 0
  for (let number = 0; number < brokenFiles; number += 1) site.write(`more${number}.ts`, 'export default {')
  await lab.event('module-failed')
  for (const name of ['amended', 'more1']) site.write(`${name}.ts`, textCommand('amended', `GET /${name}`))
  await Promise.all(['amended.ts', 'more1.ts'].map(untilLoaded))
  ok(failed < brokenFiles - 1, `${failed} broken files were loaded before`)
  for (const name of ['amended', 'more1']) is(await textOf(`/${name}`), 'amended')
})

test('thousands of files that are removed at once are removed from service and all reported', async () => {
  let removed = 0
  lab.host.events.on(event => {
    if (event.type === 'module-removed') removed += 1
  })
  rmSync(site.folder, { recursive: true })
  const all = 2 * brokenFiles + 3
  while (removed < all) await wait(5)
  is((await lab.call('GET /amended')).status, 404)
  is(removed, all)
})

test.run()

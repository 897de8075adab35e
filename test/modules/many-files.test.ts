// A folder with thousands of broken files: other files that are saved meanwhile do not wait for them.
import { setTimeout as wait } from 'node:timers/promises'
import { suite } from 'uvu'
import { is, ok } from 'uvu/assert'
import { startSite, textCommand } from '../harness/site-folder.ts'

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

test.run()

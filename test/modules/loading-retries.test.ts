// Command files that fail to load at first, and routes and names that two files want.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { createLoader } from '../../host/modules/loader.ts'
import { Registry } from '../../host/modules/registry.ts'
import { createEvents } from '../../host/system/events.ts'
import { pollUntil } from '../harness/poll.ts'
import { startSite, textCommand } from '../harness/site-folder.ts'

const site = await startSite()
const { lab } = site
const textOf = async (path: string) => (await lab.call(`GET ${path}`)).json?.text

const retries = suite('loading retries')

retries('a file that is saved while it is being loaded loads with its last content, without a warning', async () => {
  const before = lab.log.length
  const next = textCommand('second', 'GET /halfway')
  const source = `import { writeFileSync } from 'node:fs'
writeFileSync(import.meta.filename, ${JSON.stringify(next)})
throw new Error('read before it was complete')
`
  is((await site.save('halfway.ts', source)).type, 'module-loaded')
  is(await textOf('/halfway'), 'second')
  equal(
    lab.log.slice(before).filter(line => /warn/.test(line)),
    [],
  )
})

retries('a package that is installed later is found when the same text is saved again', async () => {
  const source = `import { word } from 'later'\nexport default { summary: 'x', route: 'GET /later', answer: () => ({ text: word }) }\n`
  is((await site.save('later.ts', source)).type, 'module-failed')
  site.write('node_modules/later/package.json', '{"name":"later","main":"main.cjs"}')
  site.write('node_modules/later/main.cjs', "exports.word = 'here'\n")
  is((await site.save('later.ts', source)).type, 'module-loaded')
  is(await textOf('/later'), 'here')
})

retries('a file that reached its time limit with little CPU time runs once more', async () => {
  const waits = (times: number) => `globalThis.waits ??= ${times}
if (globalThis.waits-- > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
delete globalThis.waits
`
  is((await site.save('starved.ts', waits(1) + textCommand('late', 'GET /starved'))).type, 'module-loaded')
  is(await textOf('/starved'), 'late')
  const event = await site.save('starved.ts', waits(9) + textCommand('later', 'GET /starved'))
  match(event.type === 'module-failed' ? event.reason : '', /does not return/)
  is(await textOf('/starved'), 'late')
})

retries('a package that the time limit has interrupted is loaded anew, and not found without its exports', async () => {
  site.write('node_modules/slow/package.json', '{"name":"slow","main":"main.cjs"}')
  site.write('node_modules/slow/main.cjs', "exports.Word = require('./word.cjs')\n")
  const word = `globalThis.slowLoads = (globalThis.slowLoads ?? 0) + 1
if (globalThis.slowLoads === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
module.exports = class { text = 'whole' }
`
  site.write('node_modules/slow/word.cjs', word)
  const source = `import { Word } from 'slow'
const { text } = new Word()
export default { summary: 'x', route: 'GET /slow', answer: () => ({ text }) }
`
  // With little CPU time the file runs once more at once, else when it is saved again.
  const event = await site.save('slow.ts', source)
  if (event.type === 'module-failed') {
    match(event.reason, /does not return/)
    is((await site.save('slow.ts', source)).type, 'module-loaded')
  }
  is(await textOf('/slow'), 'whole')
})

retries('a pipe, a folder and a dangling link are not commands, and do not delay other files', async () => {
  spawnSync('mkfifo', [site.path('pipe.ts')])
  mkdirSync(site.path('folder.ts'))
  symlinkSync('/nowhere/at/all.ts', site.path('dangling.ts'))
  is((await site.save('regular.ts', textCommand('regular', 'GET /regular'))).type, 'module-loaded')
  is(await textOf('/regular'), 'regular')
})

retries('a helper file that was missing is found as soon as it exists', async () => {
  const event = await site.save(
    'needs.ts',
    "import { text } from './lib/_late'\nexport default { summary: 'x', route: 'GET /needs', answer: () => ({ text }) }\n",
  )
  is(event.type, 'module-failed')
  is((await site.save('lib/_late.ts', "export const text = 'here'\n", 'needs.ts')).type, 'module-loaded')
  is(await textOf('/needs'), 'here')
})

retries('a built-in file that reached its time limit is loaded again by a later scan', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-built-in-'))
  const busy = `globalThis.busyLoads = (globalThis.busyLoads ?? 0) + 1
if (globalThis.busyLoads <= 2) for (;;);
`
  // On a busy machine the second run is in the first load.
  writeFileSync(join(folder, 'busy.ts'), busy + textCommand('busy', 'GET /busy'))
  const lines: string[] = []
  const log = createLog(line => lines.push(line))
  const registry = new Registry()
  const loader = createLoader({
    log,
    registry,
    events: createEvents(log),
    folders: [{ path: folder, origin: 'built-in' }],
  })
  await loader.start()
  is(registry.find('busy'), undefined)
  await pollUntil(() => registry.find('busy') !== undefined)
  loader.close()
  rmSync(folder, { recursive: true })
  equal(
    lines.filter(line => /warn|error/.test(line)),
    [],
  )
})

retries.run()

const conflicts = suite('conflicts')
conflicts.after(() => site.stop())

conflicts(
  'among site files the one in service keeps a route, and another takes it when that one leaves it',
  async () => {
    await site.save('first.ts', textCommand('first', 'GET /shared'))
    is((await site.save('second.ts', textCommand('second', 'GET /shared'))).type, 'module-failed')
    is(await textOf('/shared'), 'first')
    const loaded = site.nextEvent('second.ts', 'module-loaded')
    await site.save('first.ts', textCommand('first', 'GET /elsewhere'))
    await loaded
    is(await textOf('/shared'), 'second')
    is(await textOf('/elsewhere'), 'first')
  },
)

conflicts('a site file cannot have the name of a built-in command', async () => {
  const event = await site.save('wol.ts', textCommand('no', 'GET /other-wol'))
  equal(
    [event.type, 'reason' in event && /^the name wol belongs to /.test(String(event.reason))],
    ['module-failed', true],
  )
})

conflicts.run()

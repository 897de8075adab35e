// File descriptors run out while a command file is saved: it is loaded later, and the daemon goes on.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, match } from 'uvu/assert'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'fleet-descriptors-'))

/** Uses up all descriptors but `free`, saves a file, and closes them again when the loader has reported that it waits. */
const program = `
import { closeSync, openSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { createLoader } from './host/modules/loader.ts'
import { Registry } from './host/modules/registry.ts'
import { descriptorShortage } from './host/system/process/descriptors.ts'
import { createEvents } from './host/system/events.ts'
import { createLog } from './host/log/log.ts'

const [folder, free] = process.argv.toSpliced(0, 1)
const opened = []
const log = createLog(text => {
  process.stdout.write(text)
  if (/not loaded now/.test(text)) for (const descriptor of opened.splice(0)) closeSync(descriptor)
})
const events = createEvents(log)
events.on(event => event.type === 'module-loaded' && process.exit())
const loader = createLoader({ log, events, registry: new Registry(), folders: [{ path: folder, origin: folder }] })
await loader.start()
// The watch of the folder has started.
while (!process.getActiveResourcesInfo().includes('FSEventWrap')) await setTimeout(1)
await loader.refresh()
const file = openSync(folder + '/late.ts', 'w')
try {
  for (;;) opened.push(openSync('/dev/null'))
} catch {}
for (const descriptor of opened.splice(0, Number(free))) closeSync(descriptor)
console.log(descriptorShortage())
writeSync(file, "export default { summary: 'x', route: 'GET /late', answer: () => ({}) }")
await loader.refresh()
`

const test = suite('file descriptors')
test.after(() => rmSync(folder, { recursive: true }))

for (const free of [0, 2, 20]) {
  test(`with ${free} free descriptors a saved file is loaded as soon as there are more, and both are logged`, () => {
    const own = mkdtempSync(join(folder, 'commands-'))
    const node = [process.execPath, '--import', 'tsx', '--input-type', 'module', '-e', program, own, String(free)]
    const { stdout, stderr, status } = spawnSync('sh', ['-c', 'ulimit -n 300; exec "$@"', 'sh', ...node], {
      cwd: root,
      encoding: 'utf8',
      timeout: 30_000,
    })
    equal([stderr, status], ['', 0])
    match(stdout, new RegExp(`\\n${300 - free} of 300 file descriptors are open\\n`))
    const events = stdout.match(/(?<=modules: )(changes|.*late\.ts).*/g)
    equal(events, [
      `changes are not loaded now: ${300 - free} of 300 file descriptors are open`,
      'changes are loaded again',
      `${own}/late.ts: version 1 of late serves GET /late`,
    ])
  })
}

test.run()

// The watchdog thread: it names the file of code that blocks the event loop.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { match } from 'uvu/assert'

const root = resolve(import.meta.dirname, '../..')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-watchdog-')))

const test = suite('watchdog')
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('the log names the file of code that blocks the event loop, and reports when the loop is responsive', async () => {
  const program = join(folder, 'hang.mts')
  writeFileSync(
    program,
    `import { startWatchdog } from '${join(root, 'host/system/watchdog.ts')}'
await startWatchdog(0.2)
process.on('message', () => {
  for (const end = Date.now() + 1500; Date.now() < end; ) Math.random()
})
process.send('watching')
`,
  )
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let output = ''
  const responsive = new Promise<void>(done => {
    child.stdout?.on('data', chunk => {
      output += chunk
      if (/responsive again/.test(output)) done()
    })
  })
  const exited = once(child, 'exit')
  // The thread needs a moment to start: the loop is blocked only when it watches.
  child.once('message', () => child.send('hang'))
  await Promise.race([responsive, exited])
  child.kill()
  match(output, /event loop blocked for 0\.2 s in \/.*hang\.mts\n[\s\S]*event loop responsive again/)
})

test.run()

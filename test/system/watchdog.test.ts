// The watchdog thread: it names the file of code that blocks the event loop, and ends a process that hangs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { type BeatChange, BeatMonitor } from '../../host/system/process/watchdog-thread.ts'
import { endPrograms, newFolder, removeFolder, startProgram } from '../harness/daemon-process.ts'

export const runs = { seconds: 19 }

const root = resolve(import.meta.dirname, '../..')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-watchdog-')))

const test = suite('watchdog')
test.after(async () => {
  await endPrograms()
  rmSync(folder, { recursive: true, force: true })
})

test('the log names the file of code that blocks the event loop, and reports when the loop is responsive', async () => {
  const program = join(folder, 'hang.mts')
  writeFileSync(
    program,
    `import { startWatchdog } from '${join(root, 'host/system/process/watchdog.ts')}'
await startWatchdog({ blockedSeconds: 0.2, hangSeconds: 60 })
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

test('a loop is blocked after some ticks without a beat, and hangs after more', () => {
  const monitor = new BeatMonitor({ blocked: 2, hanging: 4 })
  const changes = (beats: number[]): (BeatChange | undefined)[] => beats.map(beat => monitor.tick(beat))
  equal(changes([1, 1, 2, 3, 3, 4]), Array(6).fill(undefined))
  equal(changes([4, 4, 4, 5, 5]), [undefined, 'blocked', undefined, 'responsive', undefined])
  equal(changes([5, 5, 5, 5]), ['blocked', undefined, 'hanging', undefined])
})

test('a loop does not hang while requests begin and end, however long it does not beat', () => {
  const monitor = new BeatMonitor({ blocked: 2, hanging: 4 })
  const changes = [1, 2, 3, 4, 5, 6, 6, 6, 6, 6].map(progress => monitor.tick(7, progress))
  equal(changes, [undefined, undefined, 'blocked', ...Array(6).fill(undefined), 'hanging'])
})

/** More than a start blocks the event loop on a busy machine. */
const hangSeconds = 2

/** A daemon whose command `POST /hang` blocks the event loop for good, and `GET /busy` for a moment. */
function startHangingProgram() {
  const own = newFolder()
  const commands = join(own, 'site')
  mkdirSync(commands)
  writeFileSync(
    join(commands, 'hang.ts'),
    "export default { summary: 'x', route: 'POST /hang', answer() { for (;;); } }\n",
  )
  writeFileSync(
    join(commands, 'busy.ts'),
    `export default {
  summary: 'x', route: 'GET /busy',
  async answer({ services }) {
    await services.store.scopes()
    for (const end = performance.now() + 300; performance.now() < end; );
    return {}
  },
}
`,
  )
  const options = { commands: [commands], limits: { hang_seconds: hangSeconds } }
  return { own, program: startProgram(own, { options, env: { FLEET_API_TOKEN: 'x' } }) }
}

test('a daemon whose event loop does not run for limits.hang_seconds is ended by SIGKILL, with one log line', async () => {
  const { own, program } = startHangingProgram()
  await program.port()
  program.call('x', 'POST /hang').catch(() => {})
  equal(await program.ended, { code: null, signal: 'SIGKILL' })
  const lines = program.output().match(/.* event loop blocked for .*/g) ?? []
  is(lines.length, 1)
  match(
    lines[0] ?? '',
    / error daemon: event loop blocked for 2 s \(limits\.hang_seconds\): ending the process by SIGKILL$/,
  )
  removeFolder(own)
})

test('a daemon that works through requests for longer goes on', async () => {
  const { own, program } = startHangingProgram()
  await program.port()
  const count = Math.ceil((2 * hangSeconds) / 0.3)
  const responses = await Promise.all(Array.from({ length: count }, () => program.call('x', 'GET /busy')))
  is(responses.filter(({ status }) => status === 200).length, count)
  not.match(program.output(), /ending the process/)
  program.kill('SIGTERM')
  equal(await program.ended, { code: 0, signal: null })
  removeFolder(own)
})

test('a daemon that was stopped by SIGSTOP for longer goes on', async () => {
  const { own, program } = startHangingProgram()
  await program.port()
  process.kill(program.pid, 'SIGSTOP')
  await new Promise(resolve => setTimeout(resolve, 1.5 * hangSeconds * 1000))
  process.kill(program.pid, 'SIGCONT')
  // Longer than the limit, so that the thread has counted its ticks.
  for (const end = Date.now() + 1.5 * hangSeconds * 1000; Date.now() < end; ) {
    is((await program.call('x', 'GET /healthz')).status, 200)
  }
  not.match(program.output(), /event loop blocked/)
  program.kill('SIGTERM')
  equal(await program.ended, { code: 0, signal: null })
  removeFolder(own)
})

test.run()

// The daemon's log on an output that nobody reads, that is closed, or that is full: the daemon works all the same.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { newFolder, removeFolder } from '../harness/daemon-process.ts'
import { startQuietTimer } from '../harness/quiet-timer.ts'
import { call, token } from '../harness/rest-call.ts'
import { nodeArguments } from '../tools/runner/bundled-file.ts'

export const runs = { seconds: 15 }

const root = resolve(import.meta.dirname, '../..')
const folder = newFolder()
const commands = join(folder, 'commands')

/** Lines of one flood: 4 MB, which is more than a pipe and the daemon keep. */
const floodLines = 40_000

mkdirSync(commands)
writeFileSync(
  join(commands, 'flood.ts'),
  `export default { summary: 'Log', route: 'GET /flood', answer({ services }) {
  for (let line = 0; line < ${floodLines}; line += 1) services.log.info('flood ' + line + ' ' + 'x'.repeat(60))
} }\n`,
)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return address instanceof Object ? address.port : 0
}

/** Starts the daemon with this standard output; resolves when it serves callers. */
async function start(stdout: number | 'pipe') {
  const port = await freePort()
  const file = join(folder, `${port}.json`)
  const options = {
    rest: { port },
    agents: { ip: '127.0.0.1', port: 0 },
    store: { path: `./${port}` },
    commands: [commands],
  }
  writeFileSync(file, JSON.stringify(options))
  const child = spawn(process.execPath, [...nodeArguments('host/main.ts'), '--config', file], {
    cwd: root,
    stdio: ['ignore', stdout, 'inherit'],
    env: { ...process.env, FLEET_API_TOKEN: token },
  })
  started.push(child)
  const get = (path: string) => call(port, `GET ${path}`)
  for (let status = 0; status !== 200; ) {
    is(child.exitCode, null)
    status = await get('/clients').then(
      response => response.status,
      () => wait(50, 0),
    )
  }
  return { child, get }
}

const started: ReturnType<typeof spawn>[] = []
type Daemon = Awaited<ReturnType<typeof start>>

/** Seconds of processor time; the kernel counts hundredths. */
function processorSeconds({ child }: Daemon): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}

/** Floods the log, and checks that callers are served, that the processor is idle afterwards, and that SIGTERM works. */
async function worksWithFlood(daemon: Daemon): Promise<void> {
  is((await daemon.get('/flood')).status, 200)
  is((await daemon.get('/clients')).status, 200)
  // The flood's memory is collected in the background: only an endless loop stays busy.
  for (let busy = 1, tries = 0; busy > 0.15; tries += 1) {
    ok(tries < 20, `processor busy for ${busy} s in 500 ms`)
    const before = processorSeconds(daemon)
    await wait(500)
    busy = processorSeconds(daemon) - before
  }
}

async function endsOnSigterm({ child }: Daemon): Promise<void> {
  const time = startQuietTimer()
  child.kill('SIGTERM')
  equal(await once(child, 'exit'), [0, null])
  ok(time() < 5000)
}

const test = suite('log output')
test.after(() => {
  for (const child of started) child.kill('SIGKILL')
  removeFolder(folder)
})

test('with a full disk callers are served, the processor stays idle, and SIGTERM ends the daemon', async () => {
  const full = openSync('/dev/full', 'w')
  const daemon = await start(full)
  closeSync(full)
  await worksWithFlood(daemon)
  await endsOnSigterm(daemon)
})

/** A pipe with this reader and a writer for the daemon. */
function openPipe(): { reader: number; writer: number } {
  const path = join(folder, `pipe-${started.length}`)
  spawnSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return { reader, writer: openSync(path, 'w') }
}

test('a pipe whose reader ends, as `| head` does, ends the log and not the daemon', async () => {
  const { reader, writer } = openPipe()
  const daemon = await start(writer)
  closeSync(writer)
  closeSync(reader)
  await worksWithFlood(daemon)
  await endsOnSigterm(daemon)
})

/** What is in the pipe now. */
function readPipe(reader: number): string {
  const chunk = Buffer.alloc(65_536)
  try {
    return chunk.toString('utf8', 0, readSync(reader, chunk))
  } catch {
    return ''
  }
}

test('a pipe that nobody reads stops nobody, and one line counts what was left out when it is read again', async () => {
  const { reader, writer } = openPipe()
  const daemon = await start(writer)
  closeSync(writer)
  await worksWithFlood(daemon)
  let output = ''
  for (let tries = 0; tries < 2000 && !/left out/.test(output); tries += 1) {
    const chunk = readPipe(reader)
    output += chunk
    if (chunk === '') await wait(5)
  }
  const numbers = [...output.matchAll(/flood\.ts: flood (\d+) x/g)].map(([, number]) => Number(number))
  ok(numbers.length > 10_000)
  equal(numbers, [...numbers.keys()])
  const omitted = Number(
    /warn {2}daemon: (\d+) lines left out, standard output could not be written\n$/.exec(output)?.[1],
  )
  is(omitted, floodLines - numbers.length)
  await endsOnSigterm(daemon)
  match(readPipe(reader), /daemon: stopping on SIGTERM\n/)
  closeSync(reader)
})

test('a socket that nobody reads, as a log service that hangs, stops nobody', async () => {
  const daemon = await start('pipe')
  await worksWithFlood(daemon)
  daemon.child.kill('SIGTERM')
  equal(await once(daemon.child, 'exit'), [0, null])
})

test.run()

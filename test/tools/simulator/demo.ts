// `npm run demo`: a daemon on a temporary store with a simulated lab, a script on one of its rooms, and a link to the
// console. Everything is removed when the program is interrupted.
import { setTimeout as wait } from 'node:timers/promises'
import { runFleet } from '../../../host/cli/program.ts'
import { type Call, createApi } from './api.ts'
import { type DemoDaemon, startDemoDaemon } from './demo-daemon.ts'
import { openLogPort } from './images.ts'
import { addRecords, bootAll, bootWoken, createRooms } from './lab.ts'
import type { Computer } from './simulated-computer.ts'

const [roomCount, computerCount] = [2, 24]
/** It and the two after it are ports. */
const lastPort = 65_533
const pollTime = 250 // ms
const maxTries = 240
const command = ['run', '--room', 'Room 1', '--', 'uname', '-s']
const { stdout, stdin } = process
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort(signal))

const print = (line = '') => void stdout.write(`${line}\n`)
/** Replaces the line of a step that is going on, on a terminal. */
const show = (line: string) => void (stdout.isTTY && stdout.write(`\r\x1b[K${line}`))
function done(line: string): void {
  show('')
  print(`✓ ${line}`)
}

async function waitUntil(step: string, isDone: () => Promise<string | undefined>): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const progress = await isDone()
    if (progress === undefined) return
    show(`… ${step}${progress}`)
    await wait(pollTime, undefined, stopping)
  }
  throw new Error(`${step}: expected it within ${(maxTries * pollTime) / 1000} s`)
}

async function startLab(
  daemon: DemoDaemon,
  api: Call,
  computers: readonly Computer[],
  rooms: ReturnType<typeof createRooms>,
): Promise<void> {
  show('… the daemon starts')
  await daemon.ready(stopping.signal)
  done(`the daemon has started: REST API on ${daemon.url}, agents on port ${daemon.ports.agents}`)
  await addRecords(api, rooms)
  done(`records added: 1 center, ${roomCount} rooms, ${computerCount} computers`)
  bootAll(computers)
  await waitUntil('the simulated computers start', async () => {
    const connected = (await api('GET /clients')).json.clients.length
    return connected >= computerCount ? undefined : `: ${connected} of ${computerCount} connected`
  })
  done(`the simulated computers have started: ${computerCount} of ${computerCount} connected`)
}

async function runScript(environment: NodeJS.ProcessEnv): Promise<void> {
  print(`\n$ fleet ${command.map(word => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`)
  await runFleet(command, { environment, out: stdout, error: process.stderr })
}

async function printLink(daemon: DemoDaemon, api: Call): Promise<void> {
  print(`  ${daemon.url}${(await api('POST /login/link')).json.path}`)
}

async function printNextSteps(daemon: DemoDaemon, api: Call): Promise<void> {
  const another = stdin.isTTY ? 'Enter prints another one' : 'fleet console prints another one'
  print(`\nThe lab in a browser of this computer. The link logs in once, within a minute; ${another}:\n`)
  await printLink(daemon, api)
  print('\nThe command line and the API, in another terminal (docs/first-steps.md has what to try):\n')
  print(`  . ${daemon.environmentFile}`)
  print('\nThe computers are simulated: of scripts they run echo, printf, sleep, exit, hostname,')
  print('uname, df and some more, and say of other commands that they do not run them.')
  print('Ctrl-C ends the demo and removes everything.')
}

/** Until the program is interrupted. */
async function serve(daemon: DemoDaemon, api: Call, computers: readonly Computer[]): Promise<void> {
  // Without an answer there is no link: the daemon has ended, which ends the demo.
  if (stdin.isTTY) stdin.on('data', () => void printLink(daemon, api).catch(() => {}))
  for (;;) {
    await wait(pollTime, undefined, stopping)
    await bootWoken(api, computers).catch(() => {})
  }
}

async function run(firstPort: number | undefined): Promise<void> {
  const daemon = await startDemoDaemon(firstPort, reason => stopping.abort(new Error(reason)))
  const api = createApi('127.0.0.1', daemon.ports.rest, () => daemon.token)
  const agentPort = {
    daemons: [{ host: '127.0.0.1', port: daemon.ports.agents }],
    failingCopies: 0,
    images: daemon.images,
    onError: () => {},
  }
  const rooms = createRooms(roomCount, computerCount, agentPort)
  const computers = rooms.flatMap(room => room.computers)
  let logPort: Awaited<ReturnType<typeof openLogPort>> | undefined
  try {
    logPort = await openLogPort(daemon.ports.logs, computers)
    print(`fleet-host demo, in ${daemon.folder}\n`)
    await startLab(daemon, api, computers, rooms)
    await runScript(daemon.environment)
    await printNextSteps(daemon, api)
    await serve(daemon, api, computers)
  } finally {
    show('')
    for (const computer of computers) computer.powerOff()
    stdin.destroy()
    logPort?.close()
    await daemon.remove()
  }
}

const usage = 'npm run demo [-- --port N]'

/** The first of three ports; undefined without the option. */
function readPort([name, value = '', ...others]: string[]): number | undefined {
  if (name === undefined) return undefined
  if (name === '--port' && /^[1-9]\d{0,4}$/.test(value) && Number(value) <= lastPort && others.length === 0)
    return Number(value)
  print(`${usage}: starts a daemon with a simulated lab, in a temporary folder, until Ctrl-C.`)
  print(`With --port N, up to ${lastPort}, it serves the REST API on N, agents on N + 1, and logs of images on N + 2.`)
  print('Without it: on 8888, 8889 and 8890, or on a free port in place of one that is in use.')
  print('npm run lab -- --help has the options of a simulated lab for a daemon that runs.')
  process.exit(name === '--help' ? 0 : 2)
}

const end = await run(readPort(process.argv.slice(2))).catch(error =>
  stopping.signal.aborted ? stopping.signal.reason : error,
)
const isProblem = end instanceof Error
const why = isProblem ? end.message : end === 'SIGINT' ? 'Ctrl-C (SIGINT)' : `the signal ${end}`
print(`\nThe demo has ended: ${why}\nEverything is removed.`)
if (isProblem) process.exitCode = 1

// The shell in which the commands of docs/ run: `fleet`, `curl` and `api` as the demo has them, and its simulated lab.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { runFleet } from '../../host/cli/program.ts'
import { openLogPort } from '../tools/simulator/images.ts'
import { addRecords, bootWoken, createRooms } from '../tools/simulator/lab.ts'
import { freePort } from './free-port.ts'
import { pollUntil } from './poll.ts'
import { token } from './rest-call.ts'
import { startTestHost, type TestHost } from './test-host.ts'

const pollTime = 250 // ms
/** Milliseconds until a script is ended, on a machine that is busy with other tests. */
const maxRunTime = 300_000

export type DocsShell = Awaited<ReturnType<typeof openDocsShell>>

/** A script finds no others: it cannot change the machine. */
const allowedPrograms = ['awk', 'cat', 'curl', 'grep', 'head', 'ls', 'mkdir', 'mv', 'python3', 'rm', 'sleep']

/** A daemon with the demo's lab of two rooms and 24 computers, of which all have connected. */
export async function openDocsShell() {
  const logPort = await freePort()
  const host = await startTestHost({
    options: {
      commands: ['./site'],
      repository: { directory: './images' },
      boot: { server: '127.0.0.1', output: './boot' },
      images: { log: { port: logPort, period_seconds: 1 } },
    },
  })
  const lab = await startDemoLab(host, logPort)
  const home = join(realpathSync(host.folder), 'home')
  mkdirSync(join(home, 'data'), { recursive: true })
  writeFileSync(join(home, 'data/api_token'), token)
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
  const [programs, site] = [join(host.folder, 'bin'), join(host.folder, 'site')]
  for (const folder of [programs, site]) mkdirSync(folder)
  for (const name of allowedPrograms) {
    const path = ['/usr/bin', '/bin'].map(folder => join(folder, name)).find(existsSync)
    if (path !== undefined) symlinkSync(path, join(programs, name))
  }
  const url = `http://127.0.0.1:${host.host.ports.rest}`
  const fleet = await serveFleet({ ...process.env, HOME: home, FLEET_URL: url, FLEET_API_TOKEN: token })
  const environment = {
    PATH: programs,
    HOME: home,
    FLEET_URL: url,
    FLEET_RUNNER: fleet.url,
    TOKEN: token,
    SITE: site,
  }
  return {
    host,
    home,
    site,
    /** Resolves when no computer is busy or boots. */
    settled: () => pollUntil(lab.isSettled),
    /** Runs a script until its first command that fails. */
    async run(script: string) {
      const own = script
        .replaceAll('http://127.0.0.1:8888', url)
        .replaceAll('/etc/fleet/commands', site)
        .replaceAll('/var/lib/fleet-host', realpathSync(host.folder))
      const child = spawn('/bin/bash', ['-c', `${functions}${own}`], {
        cwd: home,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: maxRunTime,
      })
      const closed = once(child, 'close')
      const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
      const [code] = await closed
      return { code, out, error }
    },
    async close(): Promise<void> {
      fleet.close()
      lab.close()
      await host.stop()
    },
  }
}

/**
 * `fleet` runs in this process, which is quicker than a program. A status of 400 and more ends the script, as an exit code
 * of `fleet` does.
 */
const functions = `set -eo pipefail
fleet() {
  local reply=$(printf '%s\\0' "$PWD" "$@" | command curl -sS --data-binary @- "$FLEET_RUNNER"; echo .)
  reply=\${reply%.}
  printf %s "\${reply%$'\\n'*}"
  return "\${reply##*$'\\n'}"
}
curl() { case $1 in -*f*) command curl "$@" ;; *) command curl --fail-with-body "$@" ;; esac; }
api() { curl -sS -H "Authorization: $TOKEN" "$FLEET_URL/$@"; }
`

/** Answers the arguments of `fleet`, separated by NUL after the working directory, with its output and exit code. */
async function serveFleet(environment: NodeJS.ProcessEnv) {
  const server = createServer(async (request, response) => {
    const [folder = '', ...args] = (await text(request)).split('\0').slice(0, -1)
    let output = ''
    const stream = {
      write(chunk: string) {
        output += chunk
      },
    }
    const before = process.cwd()
    process.chdir(folder)
    const code = await runFleet(args, { environment, out: stream, error: stream }).finally(() => process.chdir(before))
    response.end(`${output}\n${code}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // `as`: it listens on a port.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

async function startDemoLab({ host, call, folder }: TestHost, logPort: number) {
  const agentPort = {
    daemons: [{ host: '127.0.0.1', port: host.ports.agents }],
    failingCopies: 0,
    images: join(folder, 'images'),
    onError: () => {},
  }
  const rooms = createRooms(2, 24, agentPort)
  const computers = rooms.flatMap(room => room.computers)
  for (const { spec } of computers) spec.isBroken = false
  await addRecords(call, rooms)
  for (const computer of computers) computer.boot(0, computer.spec.starts)
  const logs = await openLogPort(logPort, computers)
  const isSettled = async () => {
    const clients: { state: string }[] = (await call('GET /clients')).json.clients
    const on = computers.filter(({ state }) => state !== 'off')
    return clients.length === on.length && clients.every(({ state }) => state !== 'BSY' && state !== 'WOL_SENT')
  }
  await pollUntil(isSettled)
  const timer = setInterval(() => void bootWoken(call, computers).catch(() => {}), pollTime)
  return {
    isSettled,
    close() {
      clearInterval(timer)
      logs.close()
      for (const computer of computers) computer.powerOff()
    },
  }
}

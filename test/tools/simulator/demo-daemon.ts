// Starts a daemon for the demo: in a temporary folder, on chosen ports, or on the usual ones where these are free.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startProgram, stopPrograms } from '../../harness/daemon-process.ts'
import { freePort } from '../../harness/free-port.ts'
import { root } from '../runner/bundled-file.ts'

const host = '127.0.0.1'
const usualPort = 8888
const pollTime = 100 // ms
/** Lines of the log that are shown when the daemon ends by itself. */
const lastLines = 5

export type DemoDaemon = Awaited<ReturnType<typeof startDemoDaemon>>

/** `firstPort`: of three that must be free. `failed` is called when the process ends by itself. */
export async function startDemoDaemon(firstPort: number | undefined, failed: (reason: string) => void) {
  const first = firstPort ?? usualPort
  const portAt = async (port: number) => ((await isFree(port)) ? port : otherThan(port, firstPort !== undefined))
  const ports = { rest: await portAt(first), agents: await portAt(first + 1), logs: await portAt(first + 2) }
  const folder = mkdtempSync(join(tmpdir(), 'fleet-demo-'))
  const url = `http://${host}:${ports.rest}`
  const token = randomBytes(24).toString('hex')
  const environment = { ...process.env, FLEET_URL: url, FLEET_API_TOKEN: token, XDG_CONFIG_HOME: folder }
  const site = join(folder, 'site')
  const images = join(folder, 'images')
  for (const path of [site, images]) mkdirSync(path)
  // A script for `.` of a shell.
  const environmentFile = join(folder, 'env')
  const shell = `export FLEET_URL=${url} FLEET_API_TOKEN=${token}
TOKEN=$FLEET_API_TOKEN
SITE='${site}'
fleet() { node '${join(root, 'host/cli/fleet.mjs')}' "$@"; }
api() { curl -sS -w ' %{http_code}\\n' -H "Authorization: $TOKEN" "$FLEET_URL/$@"; }
`
  writeFileSync(environmentFile, shell, { mode: 0o600 })
  const program = startProgram(folder, {
    options: {
      rest: { ip: host, port: ports.rest },
      agents: { ip: host, port: ports.agents },
      store: { path: join(folder, 'data') },
      repository: { directory: images },
      boot: { output: join(folder, 'boot'), server: host },
      images: { log: { port: ports.logs } },
      commands: [site],
    },
    env: { FLEET_API_TOKEN: token },
    // Ctrl-C of the terminal goes to the demo only, which ends the daemon after its computers.
    detached: true,
  })
  let isEnding = false
  void program.ended.then(() => {
    const last = `${program.output()}${program.errors()}`.trimEnd().split('\n').slice(-lastLines)
    if (!isEnding) failed(['the daemon has ended:', ...last].join('\n'))
  })
  return {
    ...{ folder, url, token, ports, images, environment, environmentFile },
    /** Resolves when it serves requests. */
    async ready(signal: AbortSignal): Promise<void> {
      while (!(await isReady(url))) await wait(pollTime, undefined, { signal })
    },
    /** Ends the process and removes the folder. */
    async remove(): Promise<void> {
      isEnding = true
      await stopPrograms()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, host)
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return isListening
}

async function otherThan(port: number, isChosen: boolean): Promise<number> {
  if (isChosen) throw new Error(`port ${port} is in use: choose others with --port`)
  const free = await freePort()
  console.log(`Port ${port} is in use: the demo takes ${free}. --port chooses others.`)
  return free
}

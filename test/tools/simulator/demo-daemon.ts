// Starts a daemon for the demo: in a temporary folder, on its usual ports where these are free.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../harness/free-port.ts'
import { nodeArguments, root } from '../runner/bundled-file.ts'

const host = '127.0.0.1'
const usualPorts = { rest: 8888, agents: 8889, logs: 8890 }
const pollTime = 100 // ms
const endTime = 10_000 // ms until the daemon is killed
/** Lines of the log that are shown when the daemon ends by itself. */
const lastLines = 5

export interface DemoDaemon {
  folder: string
  url: string
  token: string
  ports: typeof usualPorts
  /** The folder of the repository. */
  images: string
  /** Of `fleet`, for this daemon. */
  environment: NodeJS.ProcessEnv
  /** A script for `.` of a shell, with the functions `fleet` and `api`. */
  environmentFile: string
  /** Resolves when it serves requests. */
  ready(signal: AbortSignal): Promise<void>
  /** Ends the process and removes the folder. */
  remove(): Promise<void>
}

/** `failed` is called when the process ends by itself. */
export async function startDemoDaemon(failed: (reason: string) => void): Promise<DemoDaemon> {
  const ports = {
    rest: await portOr(usualPorts.rest),
    agents: await portOr(usualPorts.agents),
    logs: await portOr(usualPorts.logs),
  }
  const folder = mkdtempSync(join(tmpdir(), 'fleet-demo-'))
  const url = `http://${host}:${ports.rest}`
  const token = randomBytes(24).toString('hex')
  const environment = { ...process.env, FLEET_URL: url, FLEET_API_TOKEN: token, XDG_CONFIG_HOME: folder }
  const images = join(folder, 'images')
  const environmentFile = writeFiles(folder, { ports, url, token })
  const log = join(folder, 'daemon.log')
  const child = spawn(process.execPath, [...nodeArguments('host/main.ts'), '--config', join(folder, 'options.json')], {
    cwd: root,
    env: environment,
    stdio: ['ignore', openSync(log, 'a'), openSync(log, 'a')],
    // Ctrl-C of the terminal goes to the demo only, which ends the daemon after its computers.
    detached: true,
  })
  const exited = once(child, 'exit')
  let isEnding = false
  void exited.then(() => {
    const last = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lastLines)
    if (!isEnding) failed(['the daemon has ended:', ...last].join('\n'))
  })
  return {
    ...{ folder, url, token, ports, images, environment, environmentFile },
    async ready(signal) {
      while (!(await isReady(url))) await wait(pollTime, undefined, { signal })
    },
    async remove() {
      isEnding = true
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), endTime)
      await exited
      clearTimeout(timer)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

async function portOr(usual: number): Promise<number> {
  const server = createServer().listen(usual, host)
  try {
    await once(server, 'listening')
    return usual
  } catch {
    return freePort()
  } finally {
    server.close()
  }
}

/** Returns the file for the shell. */
function writeFiles(folder: string, { ports, url, token }: Pick<DemoDaemon, 'ports' | 'url' | 'token'>): string {
  const options = {
    rest: { ip: host, port: ports.rest },
    agents: { ip: host, port: ports.agents },
    store: { path: join(folder, 'data') },
    repository: { directory: join(folder, 'images') },
    boot: { output: join(folder, 'boot'), server: host },
    images: { log: { port: ports.logs } },
    commands: [join(folder, 'site')],
  }
  mkdirSync(join(folder, 'site'))
  mkdirSync(join(folder, 'images'))
  writeFileSync(join(folder, 'options.json'), JSON.stringify(options))
  const file = join(folder, 'env')
  const shell = `export FLEET_URL=${url} FLEET_API_TOKEN=${token}
TOKEN=$FLEET_API_TOKEN
SITE='${join(folder, 'site')}'
fleet() { node '${join(root, 'host/cli/fleet.mjs')}' "$@"; }
api() { curl -sS -w ' %{http_code}\\n' -H "Authorization: $TOKEN" "$FLEET_URL/$@"; }
`
  writeFileSync(file, shell, { mode: 0o600 })
  return file
}

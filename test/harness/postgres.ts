// A private PostgreSQL server for tests, on a unix socket in a temporary folder.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statfsSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { pollUntil } from './poll.ts'

const run = promisify(execFile)

const debianFolder = '/usr/lib/postgresql'

/** The folder with `initdb` and `postgres`, or the one that POSTGRES_BIN names; undefined on a machine without them. */
export const postgresPrograms: string | undefined = findPrograms()

function findPrograms(): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env.POSTGRES_BIN ?? [], versions.map(version => join(debianFolder, version, 'bin'))].flat(2)
  return folders.find(folder => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

const leastMemory = 4 * 2 ** 30

/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? 'postgres' : undefined

const commonSettings = [
  'max_connections=200',
  'shared_buffers=32MB',
  'autovacuum=off',
  'max_wal_size=2GB',
  // In the folder, so that nothing of a killed server is left.
  'dynamic_shared_memory_type=mmap',
]

/** Names the folder of `keepNewServer`. */
const filesVariable = 'FLEET_TEST_POSTGRES_FILES'

/** From now on servers start with a copy of new files, which takes a tenth of the time. Resolves to their removal. */
export async function keepNewServer(): Promise<() => Promise<void>> {
  const { folder } = await createCluster(fastFolder())
  process.env[filesVariable] = join(folder, 'data')
  return () => rm(folder, { recursive: true, force: true })
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>

/** With `fsync` off it starts faster; a test that kills it needs it on. `listen`: an address in a network of /24. */
export async function startPostgres({ fsync = false, listen = '' } = {}) {
  const { folder, owner, programs } = await createCluster(fsync ? tmpdir() : fastFolder())
  const connection = { host: folder, user: 'fleet', database: 'postgres' }
  const data = join(folder, 'data')
  if (listen !== '') appendFileSync(join(data, 'pg_hba.conf'), `host all all ${listen}/24 trust\n`)
  const listening = `listen_addresses=${listen}`
  const settings = [listening, `unix_socket_directories=${folder}`, `fsync=${fsync ? 'on' : 'off'}`, ...commonSettings]
  const args = ['-D', data, ...settings.flatMap(setting => ['-c', setting])]
  const logFile = join(folder, 'log')
  let server: ChildProcess | undefined
  process.on('exit', () => void server?.kill('SIGINT'))

  /** A connection of the tests' own. To be ended. */
  async function connect(): Promise<Client> {
    const client = new Client(connection)
    client.on('error', () => {})
    await client.connect()
    return client
  }

  async function start(): Promise<void> {
    const log = openSync(logFile, 'w')
    server = spawn(join(programs, 'postgres'), args, { ...owner, cwd: folder, stdio: ['ignore', log, log] })
    closeSync(log)
    // A test file ends when its tests have ended, and then stops the server.
    server.unref()
    if (await canConnect(server, connect)) return
    const text = readFileSync(logFile, 'utf8').trim()
    throw new Error(`postgres: expected to run, got exit code ${server.exitCode}: ${text}`)
  }

  async function end(send: (pid: number) => unknown): Promise<void> {
    const child = server
    server = undefined
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const ended = once(child, 'exit')
    send(child.pid)
    await ended
  }

  /** A process that is left would serve the connection that it has, and a new server would not start. */
  async function kill(): Promise<void> {
    await end(pid => sendToAll('SIGKILL', pid, data))
    await pollUntil(() => processesIn(data).length === 0)
  }

  await start()
  return {
    /** The options of a store in this server, in a schema of its own for each `name`. */
    storeOptions: (name: string) => ({ adapter: 'postgres', ...connection, schema: name }),
    connect,
    kill,
    start,
    /** Stops (and continues) the server's processes, so that it does not respond. */
    signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
      if (server?.pid !== undefined) sendToAll(signal, server.pid, data)
    },
    async stop(): Promise<void> {
      await end(pid => process.kill(pid, 'SIGINT'))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves when the server accepts connections; to false when it has ended instead. */
async function canConnect(server: ChildProcess, connect: () => Promise<Client>): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    try {
      await (await connect()).end()
      return true
    } catch {
      await wait(20)
    }
  }
  return false
}

/** Tables of a new store are made four times as fast in memory, when there is much of it. */
function fastFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > leastMemory ? memory : tmpdir()
}

/** Makes the files of a server in a temporary folder, which belong to a user that PostgreSQL accepts. */
async function createCluster(parent: string) {
  if (postgresPrograms === undefined) throw new Error('server: expected postgresql, got none')
  const folder = realpathSync(mkdtempSync(join(parent, 'pg-')))
  const owner: { uid?: number; gid?: number } = user === undefined ? {} : await idsOf(user)
  chmodSync(folder, 0o755)
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const [data, files] = [join(folder, 'data'), process.env[filesVariable]]
  const args = ['-D', data, '-U', 'fleet', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8']
  if (files === undefined) await run(join(postgresPrograms, 'initdb'), args, { ...owner, cwd: folder })
  else await run('cp', ['-R', '-p', files, data], { ...owner, cwd: folder })
  return { folder, owner, programs: postgresPrograms }
}

async function idsOf(name: string): Promise<{ uid: number; gid: number }> {
  const id = async (option: string) => Number((await run('id', [option, name])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/** The server and its processes, which have this working directory; also those of a server that has been killed. */
function processesIn(folder: string): number[] {
  const isIn = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder
    } catch {
      // It has ended, or belongs to somebody else.
      return false
    }
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && isIn(name))
    .map(Number)
}

/** To the server first: it then starts no other process. */
function sendToAll(signal: NodeJS.Signals, server: number, folder: string): void {
  process.kill(server, signal)
  for (const pid of processesIn(folder)) {
    try {
      if (pid !== server) process.kill(pid, signal)
    } catch {
      // It has ended by itself.
    }
  }
}

// Starts a private MariaDB server in a temporary folder, on a unix socket only.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { type Connection, createConnection } from 'mysql2/promise'

const programs = {
  server: [process.env.MARIADBD ?? ['/usr/sbin/mariadbd', '/usr/sbin/mysqld', '/usr/libexec/mariadbd']].flat(),
  install: ['/usr/bin/mariadb-install-db', '/usr/bin/mysql_install_db'],
}
const findProgram = (paths: string[]) => paths.find(path => existsSync(path))

/** Whether this machine has the server, or the one that the environment variable `MARIADBD` names. */
export const hasMariadb = Object.values(programs).every(paths => findProgram(paths) !== undefined)

/** A server refuses to run as root: then it runs as this user. */
const nobody = 65534

export type MariadbServer = Awaited<ReturnType<typeof startMariadb>>

export async function startMariadb() {
  const folder = mkdtempSync(join(tmpdir(), 'mariadb-'))
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  if (user.uid !== undefined) chownSync(folder, nobody, nobody)
  chmodSync(folder, 0o700)
  const [data, socket] = [join(folder, 'data'), join(folder, 'socket')]
  const run = (paths: string[], args: string[]) =>
    spawn(findProgram(paths) ?? 'none', ['--no-defaults', `--datadir=${data}`, ...args], {
      ...user,
      cwd: folder,
      env: { PATH: process.env.PATH, TMPDIR: folder, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  let server: ChildProcess | undefined
  try {
    await install(run(programs.install, ['--skip-test-db', '--auth-root-authentication-method=normal']))
    server = run(programs.server, [
      ...['--skip-networking', `--socket=${socket}`, `--pid-file=${join(folder, 'pid')}`, `--tmpdir=${folder}`],
      ...['--innodb-buffer-pool-size=32M', '--innodb-flush-log-at-trx-commit=0', '--aria-pagecache-buffer-size=8M'],
      ...['--key-buffer-size=8M', '--performance-schema=off', '--skip-log-bin', '--skip-name-resolve'],
    ])
    await ready(server)
  } catch (error) {
    server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  const child = server
  // When the test's process ends without `stop`.
  const kill = () => void child.kill('SIGKILL')
  process.on('exit', kill)
  return {
    socket,
    /** A connection of the administrator. To be ended. */
    connect: (database?: string): Promise<Connection> =>
      createConnection({ socketPath: socket, user: 'root', database, charset: 'utf8mb4' }),
    async stop(): Promise<void> {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      await closed
      process.off('exit', kill)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function install(child: ReturnType<typeof spawn>): Promise<void> {
  const closed = once(child, 'close')
  const [out, error] = await Promise.all([child.stdout, child.stderr].map(stream => (stream ? text(stream) : '')))
  const [code] = await closed
  if (code !== 0) throw new Error(`mariadb-install-db: expected exit code 0, got ${code}: ${out}${error}`)
}

/** Resolves when the server accepts connections; rejects with its log when it ends before. */
async function ready(child: ReturnType<typeof spawn>): Promise<void> {
  const log: string[] = []
  child.stdout?.resume()
  await new Promise<void>((resolve, reject) => {
    if (child.stderr) {
      createInterface({ input: child.stderr }).on('line', line => {
        log.push(line)
        if (line.includes('ready for connections')) resolve()
      })
    }
    child.on('error', reject)
    child.on('exit', code => reject(new Error(`mariadbd: ended with ${code}: ${log.join('\n')}`)))
  })
}

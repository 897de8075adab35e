// Starts the daemons of one fleet, each in a process and a folder of its own, with a private PostgreSQL.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresPrograms, startPostgres } from '../../harness/postgres.ts'
import type { Arguments } from './arguments.ts'

const repository = join(import.meta.dirname, '../../..')

export interface Daemons {
  /** Resolves when all processes have ended. */
  end(): Promise<void>
}

/** Rejects without PostgreSQL. The daemons' warnings and errors, and what they say of each other, go to `print`. */
export async function startDaemons(
  hosts: Arguments['hosts'],
  token: string,
  print: (text: string) => void,
): Promise<Daemons> {
  if (hosts.length === 0) return { end: async () => {} }
  if (postgresPrograms === undefined) {
    throw new Error("--hosts: expected PostgreSQL's programs (Debian's package postgresql), got none")
  }
  const server = await startPostgres({ fsync: true })
  const folder = mkdtempSync(join(tmpdir(), 'fleet-lab-'))
  const names = hosts.map((_, index) => String.fromCharCode('a'.charCodeAt(0) + index))
  const children = hosts.map(({ rest, agents }, index) => {
    const name = names[index] ?? ''
    const file = join(folder, `${name}.json`)
    const options = {
      rest: { ip: rest.host, port: rest.port },
      agents: { ip: agents.host, port: agents.port },
      store: { ...server.storeOptions('fleet'), path: join(folder, name) },
      repository: { directory: join(folder, 'images') },
      boot: { output: join(folder, name, 'boot') },
      cluster: { name },
    }
    writeFileSync(file, JSON.stringify(options))
    const child = spawn(process.execPath, ['--import', 'tsx', 'host/main.ts', '--config', file], {
      cwd: repository,
      env: { ...process.env, FLEET_API_TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    print(
      `host ${name}: REST API on ${rest.host}:${rest.port}, agents on ${agents.host}:${agents.port}, process ${child.pid}`,
    )
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.split('\n')) if (isNotable(line)) print(`host ${name}: ${line}`)
      })
    }
    child.on('exit', (code, signal) => print(`host ${name} has ended: ${signal ?? `exit code ${code}`}`))
    return child
  })
  return {
    async end() {
      const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      await Promise.all(
        running.map(child => {
          const ended = once(child, 'exit')
          child.kill('SIGTERM')
          return ended
        }),
      )
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What hosts say of each other, and errors. */
const isNotable = (line: string) => /\b(error|cluster)\b/.test(line)

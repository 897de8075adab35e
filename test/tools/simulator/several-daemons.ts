// Starts the daemons of one fleet, each in a process and a folder of its own, with a private PostgreSQL.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder, removeFolder, startProgram, stopPrograms } from '../../harness/daemon-process.ts'
import { postgresPrograms, startPostgres } from '../../harness/postgres.ts'
import type { Arguments } from './arguments.ts'

/**
 * Rejects without PostgreSQL. The daemons' warnings and errors, and what they say of each other, go to `print`. Resolves
 * to the function that ends all.
 */
export async function startDaemons(
  hosts: Arguments['hosts'],
  token: string,
  print: (text: string) => void,
): Promise<() => Promise<void>> {
  if (hosts.length === 0) return async () => {}
  if (postgresPrograms === undefined) {
    throw new Error("--hosts: expected PostgreSQL's programs (Debian's package postgresql), got none")
  }
  const server = await startPostgres({ fsync: true })
  const folder = newFolder()
  for (const [index, { rest, agents }] of hosts.entries()) {
    const name = String.fromCharCode('a'.charCodeAt(0) + index)
    const own = join(folder, name)
    mkdirSync(own)
    const program = startProgram(own, {
      options: {
        rest: { ip: rest.host, port: rest.port },
        agents: { ip: agents.host, port: agents.port },
        store: { ...server.storeOptions('fleet'), path: join(own, 'data') },
        repository: { directory: join(folder, 'images') },
        boot: { output: join(own, 'boot') },
        cluster: { name },
      },
      env: { FLEET_API_TOKEN: token },
      onLine: line => void (isNotable(line) && print(`host ${name}: ${line}`)),
    })
    const addresses = `REST API on ${rest.host}:${rest.port}, agents on ${agents.host}:${agents.port}`
    print(`host ${name}: ${addresses}, process ${program.pid}`)
    void program.ended.then(({ code, signal }) => print(`host ${name} has ended: ${signal ?? `exit code ${code}`}`))
  }
  return async () => {
    await stopPrograms()
    await server.stop()
    removeFolder(folder)
  }
}

/** What hosts say of each other, and errors. */
const isNotable = (line: string) => /\b(error|cluster)\b/.test(line)

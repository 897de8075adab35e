// Starts a daemon with many computers in a process of its own and reads its processor time.
import { readFileSync } from 'node:fs'
import { newFolder, type Program, removeFolder, startProgram } from '../../harness/daemon-process.ts'
import { token } from '../../harness/test-host.ts'

export interface Daemon {
  program: Program
  folder: string
  addrs: string[]
  /** Rejects for any status but 200. */
  call(route: string, payload?: unknown): Promise<unknown>
  /** Processor time of the daemon since its start. */
  cpu(): Cpu
  stop(): Promise<void>
}

/** Seconds. */
export interface Cpu {
  user: number
  system: number
}

/** Seconds of a clock tick: the unit in which the kernel reports processor time. */
const tick = 0.01

export async function startDaemon(computers: number): Promise<Daemon> {
  const folder = newFolder()
  const options = { limits: { request: 1_000_000, response: 4_000_000 } }
  const program = startProgram(folder, { options, env: { FLEET_API_TOKEN: token } })
  const call = async (route: string, payload?: unknown) => {
    const { status, json } = await program.call(token, route, payload)
    if (status !== 200) throw new Error(`${route}: ${status}: ${program.output()}`)
    return json
  }
  const addrs = Array.from({ length: computers }, (_, n) => `127.20.${Math.floor(n / 250)}.${(n % 250) + 1}`)
  const rows = addrs.map((addr, index) => `pc-${index},${addr},${index.toString(16).padStart(12, '0')}\n`)
  await call('POST /center/add', { name: 'Center' })
  await call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  await call('POST /client/import', { format: 'csv', room: 1, text: `name,ip,mac\n${rows.join('')}` })
  return {
    program,
    folder,
    addrs,
    call,
    cpu() {
      // The name of the program is in parentheses and may contain spaces; the fields after it are counted from 3.
      const fields = readFileSync(`/proc/${program.pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return { user: Number(fields[14 - 3]) * tick, system: Number(fields[15 - 3]) * tick }
    },
    async stop() {
      program.kill('SIGTERM')
      await program.ended
      removeFolder(folder)
    },
  }
}

export const spent = (before: Cpu, after: Cpu): Cpu => ({
  user: after.user - before.user,
  system: after.system - before.system,
})

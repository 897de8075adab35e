// Kills a daemon at random moments while callers store jobs, and reads which of them its hook was called with.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newFolder, type Program, removeFolder, startProgram } from './daemon-process.ts'
import { pollUntil } from './poll.ts'

const token = 'a token of hooks that are killed'
const callers = 8

/** Milliseconds after which a daemon is killed, at most. */
const longestLife = 1500

export interface KillReport {
  /** Jobs whose callers were answered. */
  stored: number
  /** Of these, the ones that the hook was never called with. */
  missing: number[]
  /** Calls with a job that it had been called with before: of runs that were cut. */
  again: number
  /** Jobs whose first call came after that of a job that the same caller began when this one had been answered. */
  outOfOrder: number
}

/** A hook that writes the ids of finished jobs into a file, with one call of the system. */
const hookSource = (file: string) => `
import { appendFileSync } from 'node:fs'

export default {
  summary: 'Write ids of jobs',
  on: ['job-finished'],
  run({ events }) {
    appendFileSync(${JSON.stringify(file)}, events.map(({ type, job }) => (job ?? type) + '\\n').join(''))
  },
}
`

/** One after the other. Rejects when an answer never comes, as the daemon was killed. */
async function storeJobs(daemon: Program, stored: number[]): Promise<void> {
  for (;;) {
    // No computer has this address: the job has one part, which is skipped, and is finished at once.
    const payload = { clients: ['127.9.9.9'], run: 'true', echo: false }
    const { headers } = await daemon.call(token, 'POST /shell/run', payload)
    stored.push(Number(headers['x-job-id']))
  }
}

/** Those of different callers are stored in any order. */
function countOutOfOrder(stored: readonly number[][], called: readonly number[]): number {
  const places = new Map(called.map((id, place) => [id, place]))
  const isLate = (id: number, next: number | undefined) =>
    next !== undefined && (places.get(id) ?? 0) > (places.get(next) ?? Number.POSITIVE_INFINITY)
  return stored.flatMap(jobs => jobs.filter((id, index) => isLate(id, jobs[index + 1]))).length
}

export interface Kills {
  rounds: number
  /** Returns numbers from 0 to 1. */
  random(): number
  /** The section of the options; default: files. */
  store?: object | undefined
  /** Called when a daemon has been killed, and when the hook has been called with more jobs after the last one. */
  onProgress?(): void
}

/** However slow the machine is, who waits for a start is `onProgress`. */
const startPatience = 600_000
/** Milliseconds without a call of the hook, after which those that are missing have been lost. */
const quietTime = 30_000

export async function killWithHook({ rounds, random, store, onProgress }: Kills): Promise<KillReport> {
  const folder = newFolder()
  const site = join(folder, 'site')
  const calls = join(folder, 'calls')
  mkdirSync(site)
  writeFileSync(join(site, 'write-jobs.ts'), hookSource(calls))
  const options = { store: store ?? { path: './data' }, commands: [site] }
  const start = () => startProgram(folder, { options, env: { FLEET_API_TOKEN: token }, patience: startPatience })
  /** The jobs of each caller, in their order. */
  const stored = Array.from({ length: callers }, (): number[] => [])
  for (let round = 0; round < rounds; round += 1) {
    const daemon = start()
    await daemon.port()
    const working = stored.map(jobs => storeJobs(daemon, jobs).catch(() => {}))
    await wait(random() * longestLife)
    // A machine under load may not have answered by then in any round.
    await pollUntil(() => stored.some(jobs => jobs.length > 0))
    daemon.kill('SIGKILL')
    await Promise.all([daemon.ended, ...working])
    onProgress?.()
  }
  const daemon = start()
  const called = () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n').map(Number) : [])
  const missing = () => {
    const known = new Set(called())
    return stored.flat().filter(id => !known.has(id))
  }
  await daemon.port()
  for (let left = missing().length, before = Number.POSITIVE_INFINITY; left > 0 && left < before; ) {
    onProgress?.()
    before = left
    await pollUntil(() => missing().length < before, quietTime).catch(() => {})
    left = missing().length
  }
  const ids = called()
  const firsts = new Set(ids)
  const report = {
    stored: stored.flat().length,
    missing: missing(),
    again: ids.length - firsts.size,
    outOfOrder: countOutOfOrder(stored, [...firsts]),
  }
  daemon.kill('SIGTERM')
  await daemon.ended
  removeFolder(folder)
  return report
}

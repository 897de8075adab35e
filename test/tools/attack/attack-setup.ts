// The computers of the daemon under attack: with connected agents, and without.
import { setTimeout as wait } from 'node:timers/promises'
import type { Target } from './attack.ts'

const agentCount = 50
const absentCount = 150
const refreshTime = 5_000 // ms
/** Milliseconds that a response to an attacker may take; the specification has no limit, but an attack must end. */
const answerTime = 30_000

const fleetAddress = (index: number) => `127.60.0.${index + 1}`

/** The addresses of the computers with an agent. */
export const fleet = Array.from({ length: agentCount }, (_, index) => fleetAddress(index))
/** The addresses of computers without one. */
export const absent = Array.from({ length: absentCount }, (_, index) => fleetAddress(agentCount + index))

/** Rejects when the daemon does not answer at all. */
export async function inTime<Result>(route: string, result: Promise<Result>): Promise<Result> {
  const limit = new AbortController()
  const late = wait(answerTime, undefined, limit).then(() => {
    throw new Error(`${route}: no response after ${answerTime / 1000} s`)
  })
  late.catch(() => {}) // it was aborted
  return Promise.race([result, late]).finally(() => limit.abort())
}

export async function addComputers({ call }: Target): Promise<void> {
  const rows = Array.from({ length: agentCount + absentCount }, (_, index) => {
    const mac = (0x02_60_00_00_00_00 + index).toString(16).padStart(12, '0')
    // The boot mode has no template, so that no boot files are written.
    return `pc-${index},${fleetAddress(index)},${mac},none\n`
  })
  // The examples of the API name center 1 and room 1: what is sent at random must not run on the fleet.
  for (const center of [1, 2]) {
    await call('POST /center/add', { name: `Center ${center}` })
    await call('POST /room/add', { name: 'Room', netmask: '255.0.0.0', center })
  }
  const { json } = await call('POST /client/import', {
    format: 'csv',
    room: 2,
    text: `name,ip,mac,boot\n${rows.join('')}`,
  })
  if (json?.added !== rows.length) throw new Error(`import: expected ${rows.length} computers, got ${json?.added}`)
}

/** Waits until all agents of the fleet have replied to their first refresh. */
export async function untilRefreshed({ call, fleet }: Target): Promise<void> {
  for (const until = performance.now() + refreshTime; performance.now() < until; await wait(20)) {
    const { json } = await call('GET /clients')
    const refreshed = json.clients.filter(
      (entry: { last_cmd: { result: string } }) => entry.last_cmd.result === 'success',
    )
    if (refreshed.length === fleet.length) return
  }
  throw new Error('the agents of the fleet did not connect')
}

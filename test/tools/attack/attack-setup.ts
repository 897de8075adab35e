// The computers of the daemon under attack: with connected agents, and without.
import { setTimeout as wait } from 'node:timers/promises'
import type { Target } from './attack.ts'
import { addressesOf, importComputers } from './peers.ts'

const addresses = addressesOf(60, 200)
/** The addresses of the computers with an agent, and of those without one. */
export const fleet = addresses.slice(0, 50)
export const absent = addresses.slice(50)

const refreshTime = 5_000 // ms
/** Milliseconds that a response to an attacker may take; the specification has no limit, but an attack must end. */
const answerTime = 30_000

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
  // The examples of the API name center 1 and room 1: what is sent at random must not run on the fleet.
  for (const center of [1, 2]) {
    await call('POST /center/add', { name: `Center ${center}` })
    await call('POST /room/add', { name: 'Room', netmask: '255.0.0.0', center })
  }
  await importComputers(call, addresses, 2)
}

/** Waits until all agents of the fleet have replied to their first refresh. */
export async function untilRefreshed({ call }: Target): Promise<void> {
  for (const until = performance.now() + refreshTime; performance.now() < until; await wait(20)) {
    const { json } = await call('GET /clients')
    const refreshed = json.clients.filter(
      (entry: { last_cmd: { result: string } }) => entry.last_cmd.result === 'success',
    )
    if (refreshed.length === fleet.length) return
  }
  throw new Error('the agents of the fleet did not connect')
}

// What the scenarios of several hosts do and read: addresses, jobs and lists.
import type { FleetHost } from '../../harness/fleet-processes.ts'
import { pollUntil } from '../../harness/poll.ts'

export interface PartEntry {
  client: string
  state: string
  reason?: string
}

/** `count` addresses of 127.<network>.x.y. */
export const addressesOf = (network: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `127.${network}.${Math.floor(index / 250)}.${(index % 250) + 1}`)

/** Asks another host when one does not respond. */
export async function partsOf(hosts: FleetHost[], job: number): Promise<PartEntry[]> {
  const parts: PartEntry[] = []
  for (let after = ''; ; ) {
    const { status, json } = await ask(hosts, `GET /jobs/${job}?limit=1000${after}`)
    if (status !== 200) throw new Error(`GET /jobs/${job}: expected 200, got ${status}`)
    parts.push(...json.parts)
    if (json.next === undefined) return parts
    after = `&after=${json.next}`
  }
}

export async function ask(hosts: FleetHost[], route: string) {
  for (const host of hosts) {
    const response = await host.call(route).catch(() => undefined)
    if (response) return response
  }
  throw new Error(`${route}: no host responds`)
}

const openStates = new Set(['queued', 'sent'])

export const hasEnded = (parts: PartEntry[]): boolean => parts.every(({ state }) => !openStates.has(state))

/** Seconds until all parts have an outcome. */
export async function secondsUntilEnded(hosts: FleetHost[], job: number, most: number): Promise<number> {
  const began = performance.now()
  await pollUntil(async () => hasEnded(await partsOf(hosts, job)), most * 1000)
  return (performance.now() - began) / 1000
}

export async function addrsOn(host: FleetHost): Promise<string[]> {
  const { json } = await host.call('GET /clients')
  return json.clients
    .filter(({ state }: { state: string }) => state !== 'WOL_SENT')
    .map(({ addr }: { addr: string }) => addr)
    .sort()
}

/** Until the host lists exactly these addresses. Resolves to the seconds that it took. */
export async function secondsUntilListed(host: FleetHost, addrs: readonly string[], most: number): Promise<number> {
  const began = performance.now()
  const expected = [...addrs].sort().join()
  await pollUntil(async () => (await addrsOn(host)).join() === expected, most * 1000).catch(async () => {
    const listed = await addrsOn(host)
    throw new Error(`host ${host.name} lists ${listed.length} clients after ${most} s, expected ${addrs.length}`)
  })
  return (performance.now() - began) / 1000
}

export const jobOf = (headers: Record<string, unknown>): number => Number(headers['x-job-id'])

export const countsOf = (parts: PartEntry[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { state, reason = '' } of parts) {
    const key = reason === '' ? state : `${state}: ${reason}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

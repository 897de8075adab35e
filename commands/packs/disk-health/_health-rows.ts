// The computers with the health of their disks, as lists show them.
import type { Rights } from 'fleet-host'
import { type ComputerHealth, type Context, ranks, type State } from './_health-schemas.ts'

export interface HealthRow extends ComputerHealth {
  client: string
  name: string
}

/** Those within the limits of the caller, in the order of their addresses; `state`: only these. */
export async function readRows(
  { collections, services }: Context,
  rights: Rights,
  state?: State,
): Promise<HealthRow[]> {
  const found: { key: string; value: ComputerHealth }[] = []
  for await (const { key, value } of collections.computers.all()) {
    if (rights.isLimited && !rights.hasClient(key)) continue
    if (state === undefined || value.state === state) found.push({ key, value })
  }
  const records = await services.store.computers.findMany(found.map(({ key }) => key))
  const names = new Map(records.map(({ ip, name }) => [ip, name]))
  return found.map(({ key, value }) => ({
    client: key,
    name: names.get(key) ?? '',
    ...value,
    reasons: reasonsOf(value),
  }))
}

/** Also why nothing is known. */
export const reasonsOf = ({ time, reasons }: ComputerHealth): string[] =>
  time === undefined ? ['it was asked, and has not reported: its agent may be too old'] : reasons

export const sortWorst = (rows: HealthRow[], { services }: Pick<Context, 'services'>) =>
  services.slices.sort(rows, (one, other) => ranks[other.state] - ranks[one.state])

export const isoTime = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

export const tones = { ok: 'good', warning: 'warning', failing: 'bad', unknown: 'neutral' } as const

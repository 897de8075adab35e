// Why computers of a planned restore would get nothing, as things are now.
import type { Services } from 'fleet-host'
import { preflightRestore } from './_restore-preflight.ts'

type Target = Omit<Parameters<typeof preflightRestore>[0], 'clients'>

/** With `when_idle`, somebody who is logged in is no reason: the restore waits. */
export async function reasonsNow(
  clients: readonly string[],
  target: Target,
  when_idle: boolean | undefined,
  services: Services,
): Promise<{ client: string; reason: string }[]> {
  const sessions = when_idle ? { list: () => [] } : services.sessions
  const obstacles = await preflightRestore({ ...target, clients }, { ...services, sessions })
  const reasons = new Map(obstacles)
  for (const { ip, maintenance } of await services.store.computers.findMany(clients)) {
    if (maintenance) reasons.set(ip, 'maintenance')
  }
  return [...reasons].map(([client, reason]) => ({ client, reason }))
}

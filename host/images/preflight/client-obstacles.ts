// Finds the clients that cannot be sent a command: by what they run, who uses them, and their disks.
import type { Partition } from '../../../stores/store.ts'
import type { Obstacles, Services } from '../../contract/services.ts'
import { slices } from '../../system/request-slices.ts'

export type ObstacleDeps = Pick<Services, 'store' | 'fleet' | 'sessions'>

/** Reads one client's reasons, given its disks and partitions; [] when these are not known. */
type CheckRows = (rows: readonly Partition[]) => string | undefined

const systems: Record<string, string> = {
  linux: 'runs Linux, not the live system',
  'linux-session': 'runs Linux, not the live system',
  windows: 'runs Windows, not the live system',
  'windows-session': 'runs Windows, not the live system',
  virtual: 'is a virtual desktop, not the live system',
}

/** State of the client first, then its disks. */
export async function findObstacles(
  clients: readonly string[],
  { fleet, sessions, store }: ObstacleDeps,
  check: CheckRows,
): Promise<Obstacles> {
  const asked = new Set(clients)
  const statuses = new Map(fleet.clients().flatMap(({ addr, status }) => (asked.has(addr) ? [[addr, status]] : [])))
  const users = new Map(sessions.list().flatMap(({ client, user }) => (asked.has(client) ? [[client, user]] : [])))
  const reasonOf = async (addr: string): Promise<string | undefined> => {
    if (users.has(addr)) return `${users.get(addr) ?? 'somebody'} is logged in`
    const system = systems[statuses.get(addr) ?? '']
    return system ?? check(await store.inventory.partitions(addr))
  }
  const obstacles: Obstacles = new Map()
  for (const addr of asked) {
    const reason = await reasonOf(addr)
    if (reason !== undefined) obstacles.set(addr, reason)
    const pause = slices.pause()
    if (pause) await pause
  }
  return obstacles
}

export const allWith = (clients: readonly string[], reason: string): Obstacles =>
  new Map(clients.map(addr => [addr, reason]))

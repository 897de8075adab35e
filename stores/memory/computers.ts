// Managed computers.
import type { Computer, Conflict, Frozen, New, Store } from '../store.ts'
import type { Records } from './store.ts'
import type { Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { Edit } from './tables/transaction.ts'

type Found = Frozen<Computer & { center: number }>

export function computers({ tables, mutate }: Records): Store['computers'] {
  const { all, by } = tables
  const shown = new WeakMap<Rows['computers'], Found>()
  return {
    add: given =>
      mutate(edit => {
        const conflicts = findConflicts(tables, given)
        if (conflicts.length > 0) return conflicts
        for (const computer of given) edit.put('computers', withId(all.computers.next(), computer))
        return []
      }),
    async find(ip) {
      const row = all.computers.get(by.address.id(ip))
      if (!row) return undefined
      const center = all.rooms.get(row.room)?.center ?? 0
      const known = shown.get(row)
      if (known?.center === center) return known
      const found = Object.freeze({ ...row, center })
      shown.set(row, found)
      return found
    },
    async list(room) {
      const found =
        room === undefined ? all.computers.sorted() : by.computersOf.ids(room).map(id => all.computers.get(id))
      return found.flatMap(computer => (computer ? [{ ...computer }] : []))
    },
    update: (ips, change) =>
      mutate(edit => {
        const found = [...new Set(ips)].flatMap(ip => all.computers.get(by.address.id(ip)) ?? [])
        const reason = misfit(tables, found, change)
        if (reason) return reason
        const wanted = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        for (const computer of found) edit.put('computers', withId(computer.id, { ...computer, ...wanted }))
        return 'updated'
      }),
    delete: ips =>
      mutate(edit =>
        ips.flatMap(ip => {
          const id = by.address.id(ip)
          return id === undefined ? [] : removeComputer(tables, edit, id)
        }),
      ),
  }
}

/** Takes its partitions along; what it shared is collected at the end of the edit. */
export function removeComputer({ all }: Tables, edit: Edit, id: number): Computer[] {
  const computer = all.computers.get(id)
  if (!computer) return []
  if (all.partitions.get(id)) edit.delete('partitions', id)
  edit.delete('computers', id)
  return [{ ...computer }]
}

function findConflicts({ all, by }: Tables, given: New<Computer>[]): Conflict[] {
  const addresses = new Set<string>()
  const conflicts: Conflict[] = []
  for (const [index, { ip, room, repo_id }] of given.entries()) {
    if (addresses.has(ip) || by.address.id(ip) !== undefined) conflicts.push({ index, reason: 'address taken' })
    if (!all.rooms.get(room)) conflicts.push({ index, reason: 'unknown room' })
    if (!all.repositories.get(repo_id)) conflicts.push({ index, reason: 'unknown repository' })
    addresses.add(ip)
  }
  return conflicts
}

function misfit(
  { all, by }: Tables,
  found: Computer[],
  change: Partial<New<Computer>>,
): Conflict['reason'] | undefined {
  const { ip, room, repo_id } = change
  const holder = ip === undefined ? undefined : by.address.id(ip)
  if (ip !== undefined && found.some(({ id }) => found.length > 1 || (holder !== undefined && holder !== id))) {
    return 'address taken'
  }
  if (room !== undefined && !all.rooms.get(room)) return 'unknown room'
  if (repo_id !== undefined && !all.repositories.get(repo_id)) return 'unknown repository'
  return undefined
}

/** Written out key by key: what else a caller's object carries is not stored, and all rows have one shape. */
function withId(id: number, given: New<Computer>): Computer {
  const { name, ip, mac, room, netmask, boot, remote } = given
  const { serial_number, hardware_id, repo_id, netiface, netdriver, livedir, maintenance } = given
  const known = { id, name, ip, mac, room, netmask, boot, remote }
  return { ...known, serial_number, hardware_id, repo_id, netiface, netdriver, livedir, maintenance }
}

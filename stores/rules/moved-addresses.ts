// Lists of addresses follow the computers in them when these get others: the same for every engine.
import type { Computer, ComputerChange } from '../types.ts'

/** The collections whose records have `clients`. */
export const addressLists = ['tasks', 'errands', 'groups'] as const

/** A list that had the new address of a computer before this moved to it, with all that it had then. */
export interface FormerList {
  name: (typeof addressLists)[number]
  id: number
  clients: string[]
}

type Moves = ReadonlyMap<string, string>

/** Former addresses with the new ones: `changes[n]` changes `before[n]`. */
export const movesOf = (
  before: readonly Pick<Computer, 'ip'>[],
  changes: readonly { ip?: ComputerChange['ip'] | undefined }[],
): Moves =>
  new Map(
    before.flatMap(({ ip }, index) => {
      const next = changes[index]?.ip
      return next === undefined || next === ip ? [] : [[ip, next] as const]
    }),
  )

/** The new addresses that were of none of these computers: a list that has one already has it for another reason. */
export const arrivalsOf = (moves: Moves): ReadonlySet<string> =>
  new Set([...moves.values()].filter(addr => !moves.has(addr)))

type Follow = (name: FormerList['name'], row: { id: number; clients?: string[] }) => string[] | undefined

/**
 * The list after the moves; undefined when it stays as it is. `former`: of moves that are taken back; in such a list what
 * had no computer has none again.
 */
export function createFollow(moves: Moves, former: readonly FormerList[] = []): Follow {
  const targets = new Set(moves.values())
  const formerOf = new Map(former.map(({ name, id, clients }) => [`${name} ${id}`, new Set(clients)]))
  const next = (addr: string, had: ReadonlySet<string> | undefined): string | string[] => {
    const to = moves.get(addr)
    if (to === undefined || (had && !had.has(to))) return addr
    return had?.has(addr) && !targets.has(addr) ? [to, addr] : to
  }
  return (name, { id, clients = [] }) => {
    const had = formerOf.get(`${name} ${id}`)
    const moved = [...new Set(clients.flatMap(addr => next(addr, had)))]
    return moved.join() === clients.join() ? undefined : moved
  }
}

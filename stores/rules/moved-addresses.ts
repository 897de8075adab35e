// Lists of addresses follow the computers in them when these get others: the same for every engine.
import type { Computer, ComputerChange } from '../types.ts'

/** The collections whose records have `clients`. */
export const addressLists = ['tasks', 'errands', 'groups'] as const

/** Former addresses with the new ones: `changes[n]` changes `before[n]`. */
export const movesOf = (
  before: readonly Pick<Computer, 'ip'>[],
  changes: readonly { ip?: ComputerChange['ip'] | undefined }[],
): ReadonlyMap<string, string> =>
  new Map(
    before.flatMap(({ ip }, index) => {
      const next = changes[index]?.ip
      return next === undefined || next === ip ? [] : [[ip, next] as const]
    }),
  )

/** Undefined when it stays as it is. */
export const movedList = (clients: readonly string[] = [], moves: ReadonlyMap<string, string>): string[] | undefined =>
  clients.some(addr => moves.has(addr)) ? [...new Set(clients.map(addr => moves.get(addr) ?? addr))] : undefined

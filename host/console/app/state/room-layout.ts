// Where the tiles of a room stand: computers with a seat there, the others below in the order of their names.
import type { ComputerView, RoomView, Seat } from './lab.ts'

export interface RoomLayout {
  /** In reading order, the order of the keyboard and of ranges. */
  computers: readonly ComputerView[]
  /** Rows and columns of the grid, counted from 1, without the empty ones before the first seat. */
  cells: ReadonlyMap<string, Seat>
  /** 0: no computer of the room has a seat; the tiles flow. */
  columns: number
  rows: number
}

/** `pc-9` before `pc-10`. */
const collator = new Intl.Collator(undefined, { numeric: true })

export const sortedByName = (computers: readonly ComputerView[]): ComputerView[] =>
  computers.toSorted((a, b) => collator.compare(a.name, b.name))

export function layoutOf(room: RoomView, seats: ReadonlyMap<string, Seat>): RoomLayout {
  const { computers } = room
  const seated = computers.flatMap(computer => {
    const seat = seats.get(computer.ip)
    return seat ? [{ computer, seat }] : []
  })
  if (seated.length === 0) return { computers, cells: new Map(), columns: 0, rows: 0 }
  seated.sort((a, b) => a.seat.row - b.seat.row || a.seat.column - b.seat.column)
  const before = {
    row: Math.min(...seated.map(({ seat }) => seat.row)) - 1,
    column: Math.min(...seated.map(({ seat }) => seat.column)) - 1,
  }
  const cells = new Map<string, Seat>()
  for (const { computer, seat } of seated) {
    cells.set(computer.ip, { row: seat.row - before.row, column: seat.column - before.column })
  }
  const columns = Math.max(...[...cells.values()].map(({ column }) => column))
  const rows = Math.max(...[...cells.values()].map(({ row }) => row))
  const others = computers.filter(({ ip }) => !cells.has(ip))
  for (const [index, { ip }] of others.entries()) {
    cells.set(ip, { row: rows + 1 + Math.floor(index / columns), column: 1 + (index % columns) })
  }
  return {
    computers: [...seated.map(({ computer }) => computer), ...others],
    cells,
    columns,
    rows: rows + Math.ceil(others.length / columns),
  }
}

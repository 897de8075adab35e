// The seats of one room while they are arranged: nothing is stored before the user says so.
import { computed, signal } from '@preact/signals'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { type RoomView, type Seat, seatsByAddress } from '../../state/lab.ts'
import { report } from '../../state/notices.ts'

export interface SeatDraft {
  room: RoomView
  /** By address. */
  seats: ReadonlyMap<string, Seat>
}

export const arranging = signal<SeatDraft | undefined>(undefined)
/** What the last move did, for screen readers. */
export const lastMove = signal('')

/** Rows and columns that the API takes. */
export const lastSeat = 99

/** The grid that is shown: one row and column more than are in use, so that it can grow. */
export const grid = computed<Seat>(() => {
  const seats = [...(arranging.value?.seats.values() ?? [])]
  const size = (numbers: number[], least: number) => Math.min(lastSeat, Math.max(least, Math.max(0, ...numbers) + 1))
  const rows = seats.map(({ row }) => row)
  const columns = seats.map(({ column }) => column)
  return { row: size(rows, 4), column: size(columns, 6) }
})

export function startArranging(room: RoomView): void {
  const seats = new Map<string, Seat>()
  for (const { ip } of room.computers) {
    const seat = seatsByAddress.peek().get(ip)
    if (seat) seats.set(ip, seat)
  }
  lastMove.value = ''
  arranging.value = { room, seats }
}

export function stopArranging(): void {
  arranging.value = undefined
}

/** Whoever sits there gets the seat that becomes free. Undefined takes the seat away. */
export function move(ip: string, to: Seat | undefined): void {
  const draft = arranging.peek()
  if (!draft) return
  const seats = new Map(draft.seats)
  const from = seats.get(ip)
  const other = to && occupantOf(to)
  if (other === ip) return
  if (other !== undefined) setSeat(seats, other, from)
  setSeat(seats, ip, to)
  arranging.value = { ...draft, seats }
  const name = draft.room.computers.find(each => each.ip === ip)?.name ?? ip
  lastMove.value = to ? t('arrange.at', { name, row: to.row, column: to.column }) : t('arrange.unseated', { name })
}

function setSeat(seats: Map<string, Seat>, ip: string, seat: Seat | undefined): void {
  if (seat) seats.set(ip, seat)
  else seats.delete(ip)
}

export function occupantOf({ row, column }: Seat): string | undefined {
  for (const [ip, seat] of arranging.peek()?.seats ?? []) {
    if (seat.row === row && seat.column === column) return ip
  }
  return undefined
}

/** The first free seat in reading order. */
export function freeSeat(): Seat {
  const { row: rows, column: columns } = grid.peek()
  for (let row = 1; row <= rows; row += 1) {
    for (let column = 1; column < columns; column += 1) {
      if (occupantOf({ row, column }) === undefined) return { row, column }
    }
  }
  return { row: rows, column: 1 }
}

/** All computers of the room in the order of the list, this many in each row. */
export function seatInRows(perRow: number): void {
  const draft = arranging.peek()
  if (!draft) return
  const seats = draft.room.computers.map(({ ip }, index): [string, Seat] => [
    ip,
    { row: 1 + Math.floor(index / perRow), column: 1 + (index % perRow) },
  ])
  arranging.value = { ...draft, seats: new Map(seats) }
}

export function clearSeats(): void {
  const draft = arranging.peek()
  if (draft) arranging.value = { ...draft, seats: new Map() }
}

/** One request with every computer of the room; the seats are shown when the daemon has stored them. */
export async function saveSeats(): Promise<void> {
  const draft = arranging.peek()
  if (!draft) return
  const { room, seats } = draft
  const list = room.computers.map(({ ip }) => {
    const seat = seats.get(ip)
    return { client: ip, row: seat?.row ?? null, column: seat?.column ?? null }
  })
  const reply = await post('/places', { places: list })
  if (!report(reply, t('arrange.saved', { name: room.name }))) return
  const next = new Map(seatsByAddress.peek())
  for (const { ip } of room.computers) setSeat(next, ip, seats.get(ip))
  seatsByAddress.value = next
  if (arranging.peek()?.room.id === room.id) stopArranging()
}

// Arranges the seats of a room: tiles are dragged to seats, or moved with the arrow keys; one request stores all of them.
import { useSignal } from '@preact/signals'
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import type { ComputerView, Seat } from '../../state/lab.ts'
import * as draft from './seat-draft.ts'

export function ArrangeForm() {
  const form = useRef<HTMLDivElement>(null)
  const moved = useRef('')
  const current = draft.arranging.value
  // A tile that gets or loses its seat is drawn anew in the other list: the focus follows it.
  useLayoutEffect(() => {
    if (moved.current) form.current?.querySelector<HTMLElement>(`[data-ip="${moved.current}"]`)?.focus()
    moved.current = ''
  })
  if (!current) return null
  const { room, seats } = current
  const { row: rows, column: columns } = draft.grid.value
  const place = (ip: string, to: Seat | undefined) => {
    moved.current = ip
    draft.move(ip, to)
  }
  const tileOf = (computer: ComputerView) => (
    <SeatTile key={computer.ip} computer={computer} seat={seats.get(computer.ip)} place={place} />
  )
  return (
    <div class="arrange card stack" ref={form}>
      <p class="hint">{t('arrange.hint')}</p>
      <ScrollBox class="seat-box" label={t('arrange.seats', { name: room.name })}>
        <div class="seat-grid" style={{ '--columns': columns }}>
          {Array.from({ length: rows * columns }, (_, index) => (
            <EmptySeat key={index} row={1 + Math.floor(index / columns)} column={1 + (index % columns)} />
          ))}
          {room.computers.filter(({ ip }) => seats.has(ip)).map(tileOf)}
        </div>
      </ScrollBox>
      <h3>{t('arrange.withoutSeat')}</h3>
      <div class="seat-tray row" data-tray>
        {room.computers.filter(({ ip }) => !seats.has(ip)).map(tileOf)}
      </div>
      <ArrangeActions count={room.computers.length} />
      <p class="hidden-text" aria-live="polite">
        {draft.lastMove}
      </p>
    </div>
  )
}

const EmptySeat = ({ row, column }: Seat) => (
  <span class="seat" style={{ gridRow: row, gridColumn: column }} data-row={row} data-column={column} />
)

function ArrangeActions({ count }: { count: number }) {
  const perRow = useSignal(Math.min(6, count))
  const least = Math.ceil(count / draft.lastSeat)
  return (
    <div class="row">
      <Button
        text={t('arrange.inRows')}
        press={() => draft.seatInRows(Math.min(draft.lastSeat, Math.max(least, perRow.value)))}
      />
      <label>
        <span class="hidden-text">{t('arrange.perRow')}</span>
        <input
          type="number"
          min={least}
          max={draft.lastSeat}
          value={perRow.value}
          onInput={event => (perRow.value = event.currentTarget.valueAsNumber || 1)}
        />
      </label>
      <Button text={t('arrange.clear')} press={draft.clearSeats} />
      <span class="filler" />
      <Button text={t('action.cancel')} press={draft.stopArranging} />
      <Button text={t('arrange.save')} class="primary" press={draft.saveSeats} />
    </div>
  )
}

interface SeatTileProps {
  computer: ComputerView
  seat: Seat | undefined
  place(ip: string, to: Seat | undefined): void
}

function SeatTile({ computer: { ip, name }, seat, place }: SeatTileProps) {
  const start = useRef<{ x: number; y: number } | undefined>(undefined)
  const pick = (event: TargetedPointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    start.current = { x: event.clientX, y: event.clientY }
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.classList.add('dragged')
  }
  const drag = (event: TargetedPointerEvent<HTMLElement>) => {
    if (!start.current) return
    const { x, y } = start.current
    event.currentTarget.style.translate = `${event.clientX - x}px ${event.clientY - y}px`
  }
  const drop = (event: TargetedPointerEvent<HTMLElement>) => {
    if (!start.current) return
    start.current = undefined
    // The dragged tile lets the pointer through, so that what is below it is found.
    const below = event.type === 'pointerup' && document.elementFromPoint(event.clientX, event.clientY)
    event.currentTarget.style.translate = ''
    event.currentTarget.classList.remove('dragged')
    const target = below ? below.closest<HTMLElement>('[data-row], [data-tray]') : null
    if (target) place(ip, seatOf(target))
  }
  const press = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const to = targetOf(event.key, seat)
    if (to === 'none') return
    event.preventDefault()
    event.stopPropagation()
    place(ip, to)
  }
  const label = seat ? t('arrange.at', { name, row: seat.row, column: seat.column }) : t('arrange.unseated', { name })
  return (
    <Button
      class="seat-tile cut"
      data-ip={ip}
      data-row={seat?.row}
      data-column={seat?.column}
      style={seat && { gridRow: seat.row, gridColumn: seat.column }}
      title={name}
      aria-label={label}
      onPointerDown={pick}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
      onKeyDown={press}
    >
      <span>{name}</span>
    </Button>
  )
}

const seatOf = ({ dataset }: HTMLElement): Seat | undefined =>
  dataset.row === undefined ? undefined : { row: Number(dataset.row), column: Number(dataset.column) }

const steps: Readonly<Record<string, Seat>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
}

/** Where a key moves a tile; undefined: off its seat; `none`: the key does nothing. */
function targetOf(key: string, seat: Seat | undefined): Seat | undefined | 'none' {
  const step = steps[key]
  if (!seat) return step || key === 'Enter' || key === ' ' ? draft.freeSeat() : 'none'
  if (key === 'Delete' || key === 'Backspace') return undefined
  if (!step) return 'none'
  const limit = (value: number) => Math.min(draft.lastSeat, Math.max(1, value))
  return { row: limit(seat.row + step.row), column: limit(seat.column + step.column) }
}

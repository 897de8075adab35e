// A room on the map: its name, how many of it are connected, and a tile per computer.
import { computed, useComputed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { lazy } from '../../parts/lazy.tsx'
import { SelectAll } from '../../parts/select-all.tsx'
import { isFiltered, isShown } from '../../state/filter.ts'
import { type ComputerView, type Condition, pendingClients, type RoomView, seatsByAddress } from '../../state/lab.ts'
import { layoutOf, type RoomLayout } from '../../state/room-layout.ts'
import { linkTo } from '../../state/route.ts'
import { may } from '../../state/session.ts'
import { later } from '../page-scripts.ts'
import { startAdopting } from './adopting.ts'
import { RoomButton } from './room-button.tsx'
import { arranging, startArranging } from './seat-draft.ts'
import { Tile } from './tile.tsx'

const ArrangeForm = lazy(later, 'ArrangeForm')

export function RoomSection({ room }: { room: RoomView }) {
  const layout = layoutOf(room, seatsByAddress.value)
  const isArranged = useComputed(() => arranging.value?.room.id === room.id)
  const isEmpty = useNothingShown(room.computers)
  return (
    <section
      class="room"
      id={`room-${room.id}`}
      aria-labelledby={`room-name-${room.id}`}
      hidden={isEmpty}
      style={{ containIntrinsicBlockSize: `auto ${estimateHeight(layout)}px` }}
    >
      <header>
        <SelectAll computers={room.computers} label={t('rooms.selectRoom', { name: room.name })} />
        <h2 id={`room-name-${room.id}`}>{room.name}</h2>
        <span class="hint cut">{room.centerName}</span>
        <span class="hint">
          <Counted computers={room.computers} />
        </span>
        <a class="button plain" href={linkTo('wall', room.id)} target="_blank" rel="noopener">
          {t('wall.title')}
          <span class="hidden-text"> {room.name}</span>
        </a>
        <RoomButton room={room} />
        {may('admin') && room.computers.length > 0 && !isArranged.value && (
          <Button text={t('rooms.arrange')} class="plain" press={() => startArranging(room)} of={room.name} />
        )}
      </header>
      {isArranged.value ? <ArrangeForm /> : <TileList name={room.name} layout={layout} />}
    </section>
  )
}

/** Agents that are connected although no record has their address. */
export function PendingSection() {
  const list = pendingClients.value
  const isEmpty = useNothingShown(list)
  const name = t('rooms.pending')
  return (
    <section class="room" aria-labelledby="room-name-0" hidden={isEmpty}>
      <header>
        <SelectAll computers={list} label={t('rooms.selectRoom', { name })} />
        <h2 id="room-name-0">{name}</h2>
        <span class="hint cut">{t('rooms.pendingHint')}</span>
        {may('admin') && <Button text={t('command.client-adopt')} class="plain" press={startAdopting} />}
      </header>
      <TileList name={name} layout={{ computers: list, cells: new Map(), columns: 0, rows: 0 }} />
    </section>
  )
}

/** Rooms without computers stay, except under a filter. */
const useNothingShown = (list: readonly ComputerView[]) =>
  useMemo(
    () => computed(() => (list.length > 0 || isFiltered.value ? !list.some(isShown) : list === pendingClients.value)),
    [list],
  )

export function TileList({ name, layout }: { name: string; layout: RoomLayout }) {
  const { computers, cells, columns } = layout
  if (computers.length === 0) return <p class="hint">{t('rooms.emptyRoom')}</p>
  return (
    <div
      class={columns === 0 ? 'tiles' : 'tiles seats'}
      role="listbox"
      aria-multiselectable
      aria-label={name}
      // The keyboard reaches the tiles through their list, which hands the focus on: see tile-keys.ts.
      tabIndex={0}
      style={columns === 0 ? undefined : { '--columns': columns }}
    >
      {computers.map(computer => (
        <Tile key={computer.ip} computer={computer} cell={cells.get(computer.ip)} />
      ))}
    </div>
  )
}

/** A component of its own, so that a change renders one text. */
function Counted({ computers }: { computers: readonly ComputerView[] }) {
  const text = useMemo(
    () =>
      computed(() => {
        if (isFiltered.value)
          return t('rooms.shown', { shown: computers.filter(isShown).length, all: computers.length })
        const connected = computers.filter(({ live }) => isConnected(live.value.condition))
        return t('rooms.connected', { all: computers.length, connected: connected.length })
      }),
    [computers],
  )
  return <>{text}</>
}

const isConnected = (condition: Condition): boolean => condition !== 'off' && condition !== 'waking'

/** Pixels, for rooms that were not drawn yet: about what the style sheet makes of it. */
function estimateHeight({ computers, rows }: RoomLayout): number {
  const tile = { width: 148, height: 78 }
  const perRow = Math.max(2, Math.floor((Math.min(innerWidth, 1720) - 32) / tile.width))
  return 44 + (rows || Math.ceil(computers.length / perRow)) * tile.height
}

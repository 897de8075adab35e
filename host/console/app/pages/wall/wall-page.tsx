// Rooms for a screen on a wall: large, without a menu and with nothing to press.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { locale, t } from '../../language/translate.ts'
import { ConnectionBanner } from '../../parts/connection-banner.tsx'
import { lostSince } from '../../state/event-stream.ts'
import { isLoaded, type RoomView, rooms, seatsByAddress } from '../../state/lab.ts'
import { layoutOf } from '../../state/room-layout.ts'
import { route } from '../../state/route.ts'
import { clearSelection } from '../../state/selection.ts'
import { TileList } from '../rooms/room-section.tsx'

/** Milliseconds between two looks at the clock. */
const clockPeriod = 5_000
/** The screen is dark from and until these hours. */
const night = { from: 20, until: 7 }

/** Width by height, about. */
const tileShape = 2

const now = signal(new Date())

export function WallPage() {
  useEffect(() => {
    const look = () => {
      now.value = new Date()
    }
    look()
    const timer = setInterval(look, clockPeriod)
    return () => clearInterval(timer)
  }, [])
  // Nobody chooses computers there.
  useEffect(clearSelection, [])
  const ids = (route.value.rest[0] ?? '').split(',').map(Number)
  const shown = rooms.value.filter(({ id }) => ids.includes(id))
  useEffect(() => {
    document.title = [...shown.map(({ name }) => name), 'fleet-host'].join(' · ')
  })
  const hour = now.value.getHours()
  const isNight = hour >= night.from || hour < night.until
  const since = lostSince.value
  const computers = shown.reduce((sum, room) => sum + room.computers.length, 0)
  // The tiles fill the screen.
  const columns = Math.ceil(Math.sqrt((computers * innerWidth) / innerHeight / tileShape))
  return (
    <main
      style={{ '--wall-columns': columns }}
      class={`wall${isNight ? ' night' : ''}${since === undefined ? '' : ' lost'}`}
    >
      <p class="wall-clock">
        {now.value.toLocaleTimeString(locale.value, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}
      </p>
      <div role="status">
        <ConnectionBanner />
      </div>
      {shown.length === 0 && isLoaded.value && <p>{t('wall.noRoom')}</p>}
      {shown.map(room => (
        <WallRoom key={room.id} room={room} />
      ))}
    </main>
  )
}

function WallRoom({ room }: { room: RoomView }) {
  return (
    <section class="room" style={{ flexGrow: room.computers.length }}>
      <h1>{room.name}</h1>
      <TileList name={room.name} layout={layoutOf(room, seatsByAddress.value)} />
    </section>
  )
}

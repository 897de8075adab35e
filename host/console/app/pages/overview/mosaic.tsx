// Every room as a field of small squares, one per computer. Screen readers get one sentence per room instead.
import { useComputed } from '@preact/signals'
import { t } from '../../language/translate.ts'
import { conditionWord } from '../../parts/condition-sign.tsx'
import {
  type CenterView,
  type ComputerView,
  centers,
  conditions,
  hasFailed,
  isLoaded,
  type RoomView,
} from '../../state/lab.ts'
import { linkTo } from '../../state/route.ts'
import { mayGroup } from '../../state/session.ts'
import { CenterButton } from './center-record.tsx'

export function Mosaic() {
  if (!isLoaded.value) return null
  if (centers.value.length === 0) {
    return (
      <p class="card">
        {t('overview.noRooms')} <a href={linkTo('import')}>{t('nav.import')}</a>
      </p>
    )
  }
  return (
    <div class="stack">
      {centers.value.map(center => (
        <CenterMosaic key={center.id} center={center} />
      ))}
    </div>
  )
}

function CenterMosaic({ center }: { center: CenterView }) {
  const { name, rooms } = center
  return (
    <section class="card">
      <header>
        <h2>{name}</h2>
        {mayGroup() && <CenterButton center={center} />}
      </header>
      {rooms.length === 0 && <p class="hint">{t('overview.noRooms')}</p>}
      <div class="columns">
        {rooms.map(room => (
          <RoomMosaic key={room.id} room={room} />
        ))}
      </div>
    </section>
  )
}

function RoomMosaic({ room }: { room: RoomView }) {
  const sentence = useComputed(() => describe(room))
  return (
    <article class="mosaic">
      <h3>
        <a href={`${linkTo('')}?room=${room.id}`}>{room.name}</a>
      </h3>
      <p class="hint">{sentence}</p>
      <div class="squares" aria-hidden="true">
        {room.computers.map(computer => (
          <Square key={computer.ip} computer={computer} />
        ))}
      </div>
    </article>
  )
}

/** The attribute is bound to the signal: an update writes it and renders nothing. */
function Square({ computer: { ip, name, live } }: { computer: ComputerView }) {
  const condition = useComputed(() => live.value.condition)
  const failed = useComputed(() => hasFailed(live.value))
  const title = useComputed(() => [name, ip, ...(failed.value ? [t('rooms.failed')] : [])].join(' · '))
  return (
    <a
      class="square sign"
      data-condition={condition}
      data-failed={failed}
      href={linkTo('computer', ip)}
      title={title}
      tabIndex={-1}
    >
      {name}
    </a>
  )
}

/** `24 computers: 20 ready, 3 busy, 1 off · 2 failed`, in the order of the counts. */
function describe({ computers, counts }: RoomView): string {
  const { byCondition, failed } = counts.value
  const numbers = new Map<string, number>()
  for (const condition of conditions) {
    const word = conditionWord(condition)
    numbers.set(word, (numbers.get(word) ?? 0) + (byCondition[condition] ?? 0))
  }
  const list = [...numbers].filter(([, n]) => n > 0).map(([word, n]) => t('overview.count', { n, word }))
  if (list.length === 0) return t('overview.emptyRoom')
  const sentence = t('overview.sentence', { n: computers.length, list: list.join(', ') })
  return failed === 0 ? sentence : `${sentence} · ${t('overview.count', { n: failed, word: t('rooms.failed') })}`
}

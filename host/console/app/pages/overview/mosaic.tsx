// Every room as a field of small squares, one per computer. Screen readers get one sentence per room instead.
import { type Signal, useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import { conditionWord } from '../../parts/condition-sign.tsx'
import { type ComputerView, centers, conditions, isLoaded, type RoomView } from '../../state/lab.ts'
import { linkTo } from '../../state/route.ts'

/** Milliseconds between two sentences of a room: squares follow at once. */
const sentenceTime = 1_000

export function Mosaic() {
  const clock = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      clock.value += 1
    }, sentenceTime)
    return () => clearInterval(timer)
  }, [])
  if (!isLoaded.value) return null
  if (centers.value.length === 0) {
    return (
      <p class="card">
        {t('overview.noRooms')} <a href={linkTo('import')}>{t('nav.import')}</a>
      </p>
    )
  }
  return (
    <div class="mosaics">
      {centers.value.map(({ id, name, rooms }) => (
        <section key={id} class="card">
          <h2>{name}</h2>
          {rooms.length === 0 && <p class="hint">{t('overview.noRooms')}</p>}
          <div class="mosaic-rooms">
            {rooms.map(room => (
              <RoomMosaic key={room.id} room={room} clock={clock} />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

function RoomMosaic({ room, clock }: { room: RoomView; clock: Signal<number> }) {
  const sentence = useSignal('')
  useEffect(
    () =>
      clock.subscribe(() => {
        sentence.value = describe(room)
      }),
    [room],
  )
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
  const failed = useComputed(() => live.value.failures.length > 0)
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
function describe({ computers }: RoomView): string {
  const numbers = new Map<string, number>()
  let failed = 0
  for (const { live } of computers) {
    const { condition, failures } = live.peek()
    const word = conditionWord(condition)
    numbers.set(word, (numbers.get(word) ?? 0) + 1)
    if (failures.length > 0) failed += 1
  }
  const words = [...new Set(conditions.map(conditionWord))]
  const list = words
    .filter(word => numbers.has(word))
    .map(word => t('overview.count', { n: numbers.get(word) ?? 0, word }))
  if (list.length === 0) return t('overview.emptyRoom')
  const sentence = t('overview.sentence', { n: computers.length, list: list.join(', ') })
  return failed === 0 ? sentence : `${sentence} · ${t('overview.count', { n: failed, word: t('rooms.failed') })}`
}

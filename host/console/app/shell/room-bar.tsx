// How many computers of a room are free, in use, busy and off, as a bar.
import { t } from '../language/translate.ts'
import type { Condition, RoomView } from '../state/lab.ts'

/** Each by the class of its colour, in this order. */
const shares: Readonly<Record<string, readonly Condition[]>> = {
  good: ['ready'],
  blue: ['linux', 'linux-session', 'windows', 'windows-session', 'virtual'],
  warn: ['busy', 'waking'],
  off: ['off'],
}

export function RoomBar({ room: { counts, computers } }: { room: RoomView }) {
  const { failed, byCondition } = counts.value
  if (computers.length === 0) return null
  return (
    <>
      {failed > 0 && (
        <span class="dot bad" title={t('overview.unseenFailures', { n: failed })}>
          <span class="hidden-text">{t('overview.unseenFailures', { n: failed })}</span>
        </span>
      )}
      <span class="bar" aria-hidden="true">
        {Object.entries(shares).map(([share, of]) => (
          <i
            key={share}
            class={share}
            style={{ flexGrow: of.reduce((sum, each) => sum + (byCondition[each] ?? 0), 0) }}
          />
        ))}
      </span>
    </>
  )
}

// The button that opens the record of a room.
import { signal } from '@preact/signals'
import { t } from '../../language/translate.ts'
import type { RoomView } from '../../state/lab.ts'
import { mayGroup } from '../../state/session.ts'

/** The room whose record is open. */
export const shownRoom = signal<RoomView | undefined>(undefined)

export function RoomButton({ room }: { room: RoomView }) {
  return (
    <button
      type="button"
      class="plain"
      onClick={() => {
        shownRoom.value = room
      }}
    >
      {t(mayGroup() ? 'records.edit' : 'tags.title')}
      <span class="hidden-text"> {room.name}</span>
    </button>
  )
}

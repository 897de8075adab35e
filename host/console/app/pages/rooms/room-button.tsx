// The button that opens the record of a room.
import { signal } from '@preact/signals'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import type { RoomView } from '../../state/lab.ts'
import { mayGroup } from '../../state/session.ts'

/** The room whose record is open. */
export const shownRoom = signal<RoomView | undefined>(undefined)

export function RoomButton({ room }: { room: RoomView }) {
  return (
    <Button
      text={t(mayGroup() ? 'records.edit' : 'tags.title')}
      class="plain"
      press={() => (shownRoom.value = room)}
      of={room.name}
    />
  )
}

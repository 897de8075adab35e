// The tags of a room, which its computers have too.
import { signal } from '@preact/signals'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { TagField, TagList, tagsIn } from '../../parts/tag-field.tsx'
import type { RoomView } from '../../state/lab.ts'
import { ofLists, useResource } from '../../state/resource.ts'
import { mayGroup } from '../../state/session.ts'

/** The room whose tags are shown. */
const shown = signal<RoomView | undefined>(undefined)

const close = () => {
  shown.value = undefined
}

export function RoomTagsButton({ room }: { room: RoomView }) {
  return (
    <button
      type="button"
      class="plain"
      onClick={() => {
        shown.value = room
      }}
    >
      {t('tags.title')}
      <span class="hidden-text"> {room.name}</span>
    </button>
  )
}

/** Outside of the map, whose keys and pointer are for its tiles. */
export const RoomTags = () => (shown.value ? <TagDialog room={shown.value} /> : null)

function TagDialog({ room: { id, name } }: { room: RoomView }) {
  const record = useResource<{ tags?: string[] }>(`/room/info?room=${id}`, ofLists('rooms'))
  const title = t('tags.ofRoom', { name })
  const content = (
    <ResourceView resource={record}>
      {({ tags = [] }) => (mayGroup() ? <TagField first={tags} /> : <TagList tags={tags} />)}
    </ResourceView>
  )
  if (!mayGroup())
    return (
      <Dialog title={title} onClose={close}>
        {content}
      </Dialog>
    )
  const send = async (form: HTMLFormElement) => {
    const data = new FormData(form)
    return data.has('tags') ? post('/room/update', { room: id, tags: tagsIn(data) }) : undefined
  }
  return (
    <FormDialog title={title} action={t('records.save')} send={send} onClose={close}>
      {content}
    </FormDialog>
  )
}

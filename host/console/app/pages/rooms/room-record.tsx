// The record of a room: its name, center, network and tags, for those who may change them.
import type { RoomAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { useFormRecord } from '../../parts/changed-meanwhile.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { DeletionButton, deleteRecord } from '../../parts/record-actions.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { RoomFields, roomIn } from '../../parts/room-fields.tsx'
import { TagField, TagList, tagsIn } from '../../parts/tag-field.tsx'
import type { RoomView } from '../../state/lab.ts'
import { ofLists, useResource } from '../../state/resource.ts'
import { mayGroup } from '../../state/session.ts'
import { shownRoom } from './room-button.tsx'

const close = () => {
  shownRoom.value = undefined
}

/** Outside of the map, whose keys and pointer are for its tiles. */
export const RoomRecord = () => (shownRoom.value ? <RecordDialog room={shownRoom.value} /> : null)

function RecordDialog({ room }: { room: RoomView }) {
  const form = `room/${room.id}`
  const record = useResource<RoomAnswer>(`/room/info?room=${room.id}`, ofLists('rooms'))
  const { shown, save } = useFormRecord(form, { record: record.value.value && { tags: [], ...record.value.value } })
  const { name } = room
  if (!mayGroup())
    return (
      <Dialog title={t('tags.ofRoom', { name })} onClose={close}>
        <ResourceView resource={record}>
          {({ tags = [] }) => (tags.length > 0 ? <TagList tags={tags} /> : <p>{t('tags.noneOfRoom')}</p>)}
        </ResourceView>
      </Dialog>
    )
  const send = async (form: HTMLFormElement) => {
    const data = new FormData(form)
    const typed = data.has('tags') ? { ...roomIn(data), tags: tagsIn(data) } : {}
    return save(typed, change => post('/room/update', { room: room.id, ...change }))
  }
  return (
    <FormDialog form={form} title={name} action={t('records.save')} send={send} onClose={close}>
      <ResourceView resource={record}>
        {() =>
          shown && (
            <>
              <RoomFields room={shown} />
              <TagField key={shown.tags.join(' ')} first={shown.tags} />
              <DeleteButton room={room} />
            </>
          )
        }
      </ResourceView>
    </FormDialog>
  )
}

function DeleteButton({ room: { id, name, computers } }: { room: RoomView }) {
  const remove = async () => {
    close()
    const n = computers.length
    const text = n > 0 ? t('rooms.deleteText', { name, n }) : t('procedures.deleteText', { name })
    await deleteRecord({ title: t('rooms.delete'), text, path: '/room/delete', id, name })
  }
  return <DeletionButton text={t('rooms.delete')} press={remove} />
}

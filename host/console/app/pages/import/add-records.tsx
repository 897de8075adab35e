// The forms that add a center and a room.
import type { ComponentChildren } from 'preact'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog, textIn } from '../../parts/form-dialog.tsx'
import { RoomFields, roomIn } from '../../parts/room-fields.tsx'
import { centers } from '../../state/lab.ts'
import { loadLab } from '../../state/snapshot.ts'

interface RecordFormProps {
  form: string
  title: string
  path: string
  /** Of the fields of the form. */
  payloadOf(data: FormData): object
  onClose(): void
  children: ComponentChildren
}

function RecordForm({ path, payloadOf, ...props }: RecordFormProps) {
  const send = (form: HTMLFormElement) => post(path, payloadOf(new FormData(form)))
  return (
    // No event says that the lists have changed.
    <FormDialog {...props} action={t('records.add')} send={send} onSaved={() => void loadLab()} />
  )
}

export function CenterForm({ onClose }: { onClose(): void }) {
  return (
    <RecordForm
      form="center"
      title={t('import.addCenter')}
      path="/center/add"
      payloadOf={data => ({ name: textIn(data, 'name'), comment: textIn(data, 'comment') })}
      onClose={onClose}
    >
      <TextField name="name" label={t('field.name')} required />
      <TextField name="comment" label={t('records.comment')} />
    </RecordForm>
  )
}

/** `path`: its name, or that of its center before it with a slash. */
export function RoomForm({ path = '', onClose }: { path?: string; onClose(): void }) {
  const [name = '', centerName] = path.split('/').reverse()
  const center = centers.value.find(each => each.name === centerName)?.id
  if (centers.value.length === 0) {
    return (
      <Dialog title={t('import.addRoom')} onClose={onClose}>
        <p>{t('import.centerFirst')}</p>
      </Dialog>
    )
  }
  return (
    <RecordForm form={`room ${path}`} title={t('import.addRoom')} path="/room/add" payloadOf={roomIn} onClose={onClose}>
      <RoomFields room={{ name, ...(center !== undefined && { center }) }} />
    </RecordForm>
  )
}

// The record of a center, for administrators: its name, and deleting it with what is in it.
import { useSignal } from '@preact/signals'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { FormDialog, textIn } from '../../parts/form-dialog.tsx'
import { deleteRecord, RecordButton } from '../../parts/record-actions.tsx'
import { TextField } from '../../parts/room-fields.tsx'
import type { CenterView } from '../../state/lab.ts'

export function CenterButton({ center: { id, name, rooms } }: { center: CenterView }) {
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
  }
  const send = async (form: HTMLFormElement) => {
    const next = textIn(new FormData(form), 'name')
    return next === name ? undefined : post('/center/update', { center: id, name: next })
  }
  const remove = async () => {
    close()
    const computers = rooms.reduce((sum, room) => sum + room.computers.length, 0)
    const text = t('centers.deleteText', { name, rooms: rooms.length, n: computers })
    await deleteRecord({ title: t('centers.delete'), text, path: '/center/delete', id, name })
  }
  return (
    <>
      <RecordButton label={t('records.edit')} name={name} onClick={() => (isOpen.value = true)} />
      {isOpen.value && (
        <FormDialog title={name} action={t('records.save')} send={send} onClose={close}>
          <TextField name="name" label={t('field.name')} value={name} isRequired />
          <p>
            <button type="button" class="destructive" onClick={() => void remove()}>
              {t('centers.delete')}
            </button>
          </p>
        </FormDialog>
      )}
    </>
  )
}

// The record of a center, for administrators: its name, and deleting it with what is in it.
import { useSignal } from '@preact/signals'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { useFormRecord } from '../../parts/changed-meanwhile.ts'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog, textIn } from '../../parts/form-dialog.tsx'
import { DeletionButton, deleteRecord } from '../../parts/record-actions.tsx'
import type { CenterView } from '../../state/lab.ts'

export function CenterButton({ center }: { center: CenterView }) {
  const isOpen = useSignal(false)
  return (
    <>
      <Button text={t('records.edit')} of={center.name} press={() => (isOpen.value = true)} />
      {isOpen.value && <CenterForm center={center} close={() => (isOpen.value = false)} />}
    </>
  )
}

function CenterForm({ center, close }: { center: CenterView; close(): void }) {
  const { id, name, rooms } = center
  const form = `center/${id}`
  const { shown = center, save } = useFormRecord(form, { record: center })
  const send = (element: HTMLFormElement) =>
    save({ name: textIn(new FormData(element), 'name') }, change => post('/center/update', { center: id, ...change }))
  const remove = async () => {
    close()
    const computers = rooms.reduce((sum, room) => sum + room.computers.length, 0)
    const text =
      rooms.length > 0
        ? t('centers.deleteText', { name, rooms: rooms.length, n: computers })
        : t('procedures.deleteText', { name })
    await deleteRecord({ title: t('centers.delete'), text, path: '/center/delete', id, name })
  }
  return (
    <FormDialog form={form} title={name} action={t('records.save')} send={send} onClose={close}>
      <TextField name="name" label={t('field.name')} value={shown.name} required />
      <DeletionButton text={t('centers.delete')} press={remove} />
    </FormDialog>
  )
}

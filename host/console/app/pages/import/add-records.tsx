// The forms that add a center and a room.
import type { ComponentChildren } from 'preact'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { centers } from '../../state/lab.ts'
import { loadLab } from '../../state/snapshot.ts'

interface RecordFormProps {
  title: string
  path: string
  /** Of the fields of the form, by name. */
  payloadOf(field: (name: string) => string): object
  onClose(): void
  children: ComponentChildren
}

function RecordForm({ title, path, payloadOf, onClose, children }: RecordFormProps) {
  const send = (form: HTMLFormElement) => {
    const data = new FormData(form)
    return post(
      path,
      payloadOf(name => String(data.get(name) ?? '').trim()),
    )
  }
  return (
    // No event says that the lists have changed.
    <FormDialog title={title} action={t('records.add')} send={send} onClose={onClose} onSaved={() => void loadLab()}>
      {children}
    </FormDialog>
  )
}

export function CenterForm({ onClose }: { onClose(): void }) {
  return (
    <RecordForm
      title={t('import.addCenter')}
      path="/center/add"
      payloadOf={field => ({ name: field('name'), comment: field('comment') })}
      onClose={onClose}
    >
      <TextField name="name" label={t('records.name')} isRequired />
      <TextField name="comment" label={t('records.comment')} />
    </RecordForm>
  )
}

/** Optional addresses that a room passes to its computers. */
const addresses = ['gateway', 'dns', 'ntp'] as const

export function RoomForm({ onClose }: { onClose(): void }) {
  if (centers.value.length === 0) {
    return (
      <Dialog title={t('import.addRoom')} onClose={onClose}>
        <p>{t('import.centerFirst')}</p>
      </Dialog>
    )
  }
  return (
    <RecordForm
      title={t('import.addRoom')}
      path="/room/add"
      payloadOf={field => ({
        name: field('name'),
        center: Number(field('center')),
        netmask: field('netmask'),
        location: field('location'),
        ...Object.fromEntries(addresses.map(key => [key, field(key)])),
      })}
      onClose={onClose}
    >
      <TextField name="name" label={t('records.name')} isRequired />
      <label class="field">
        <span>{t('records.center')}</span>
        <select name="center" required>
          {centers.value.map(({ id, name }) => (
            <option value={id} key={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <TextField name="netmask" label={t('import.netmask')} value="255.255.255.0" isRequired />
      <TextField name="location" label={t('import.location')} />
      <div class="form-row">
        {addresses.map(key => (
          <TextField key={key} name={key} label={t(`import.${key}`)} />
        ))}
      </div>
    </RecordForm>
  )
}

interface TextFieldProps {
  name: string
  label: string
  value?: string
  isRequired?: boolean
}

function TextField({ name, label, value = '', isRequired = false }: TextFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input name={name} defaultValue={value} required={isRequired} autocomplete="off" />
    </label>
  )
}

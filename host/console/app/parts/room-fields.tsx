// The fields of a room in forms.
import type { RoomAnswer } from '../../../contract/answers.ts'
import { t } from '../language/translate.ts'
import { centers } from '../state/lab.ts'
import { textIn } from './form-dialog.tsx'

/** Optional addresses that a room passes to its computers. */
const addresses = ['gateway', 'dns', 'ntp'] as const

/** A new one has some of its values, or none. */
export function RoomFields({ room }: { room?: Partial<RoomAnswer> }) {
  return (
    <>
      <TextField name="name" label={t('field.name')} value={room?.name} isRequired />
      <label class="field">
        <span>{t('records.center')}</span>
        <select key={room?.center} name="center" required>
          {centers.value.map(({ id, name }) => (
            <option value={id} key={id} selected={id === room?.center}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <TextField name="netmask" label={t('import.netmask')} value={room?.netmask ?? '255.255.255.0'} isRequired />
      <TextField name="location" label={t('import.location')} value={room?.location} />
      <div class="form-row">
        {addresses.map(key => (
          <TextField key={key} name={key} label={t(`import.${key}`)} value={room?.[key]} />
        ))}
      </div>
    </>
  )
}

/** What the form has, as `room/add` and `room/update` take it. */
export function roomIn(data: FormData) {
  const texts = (['name', 'netmask', 'location', ...addresses] as const).map(key => [key, textIn(data, key)] as const)
  return { ...Object.fromEntries(texts), center: Number(data.get('center')) }
}

interface TextFieldProps {
  name: string
  label: string
  value?: string | undefined
  isRequired?: boolean
}

export function TextField({ name, label, value = '', isRequired = false }: TextFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input key={value} name={name} defaultValue={value} required={isRequired} autocomplete="off" />
    </label>
  )
}

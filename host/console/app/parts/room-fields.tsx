// The fields of a room in forms.
import type { RoomAnswer } from '../../../contract/answers.ts'
import { t } from '../language/translate.ts'
import { centers } from '../state/lab.ts'
import { Choice, TextField } from './fields.tsx'
import { textIn } from './form-dialog.tsx'

/** Optional addresses that a room passes to its computers. */
const addresses = ['gateway', 'dns', 'ntp'] as const

/** A new one has some of its values, or none. */
export function RoomFields({ room }: { room?: Partial<RoomAnswer> }) {
  return (
    <>
      <TextField name="name" label={t('field.name')} value={room?.name} required />
      <Choice
        label={t('records.center')}
        name="center"
        required
        value={room?.center ?? centers.value[0]?.id ?? 0}
        options={centers.value.map(({ id, name }) => [id, name])}
      />
      <TextField name="netmask" label={t('field.netmask')} value={room?.netmask ?? '255.255.255.0'} required />
      <TextField name="location" label={t('import.location')} value={room?.location} />
      <div class="row fields">
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

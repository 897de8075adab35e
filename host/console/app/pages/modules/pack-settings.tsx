// The form of a pack's settings, made from its schema. The daemon checks them before it stores them.
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { PackAnswer } from '../../../../contract/answers.ts'
import { toPayload } from '../../actions/field-values.ts'
import { FormFields } from '../../actions/form-fields.tsx'
import { useValues } from '../../actions/typed-values.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Check } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { nested, settingFields, settingValues } from './pack-fields.ts'

interface PackSettingsProps {
  pack: PackAnswer
  onClose(): void
  onSaved(): void
}

export function PackSettings({ pack, onClose, onSaved }: PackSettingsProps) {
  const { name, settings, settings_schema: schema = {}, secrets } = pack
  const fields = useMemo(() => settingFields(schema, secrets), [])
  const form = `pack/${name}`
  const { draft, change } = useValues(form, fields, settingValues(fields, settings))
  const removed = useSignal<ReadonlySet<string>>(new Set())
  const send = async () => {
    const made = toPayload(fields, draft.value.values)
    if ('problem' in made) return made.problem
    const nulls = Object.fromEntries([...removed.value].map(key => [key, null]))
    return post('/pack/settings', { pack: name, settings: nested({ ...made.payload, ...nulls }) })
  }
  const stored = fields.filter(({ isSet }) => isSet)
  return (
    <FormDialog
      form={form}
      title={t('packs.settingsOf', { name })}
      action={t('packs.save')}
      size="wide"
      send={send}
      onClose={onClose}
      onSaved={onSaved}
    >
      <FormFields fields={fields} values={draft.value.values} onChange={change} />
      {stored.map(({ key }) => (
        <Check
          key={key}
          label={t('packs.removeSecret', { key })}
          isOn={removed.value.has(key)}
          change={isOn => {
            const next = new Set(removed.value)
            if (isOn) next.add(key)
            else next.delete(key)
            removed.value = next
          }}
        />
      ))}
    </FormDialog>
  )
}

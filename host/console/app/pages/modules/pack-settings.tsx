// The form of a pack's settings, made from its schema. The daemon checks them before it stores them.
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { PackAnswer } from '../../../../contract/answers.ts'
import { toPayload } from '../../actions/field-values.ts'
import { FormFields } from '../../actions/form-fields.tsx'
import { useValues } from '../../actions/typed-values.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Check } from '../../parts/computer-choice.tsx'
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
  const wrong = useSignal('')
  const send = async (element: HTMLFormElement) => {
    const made = toPayload(fields, draft.value.values)
    wrong.value = 'problem' in made ? made.problem.key : ''
    if ('problem' in made) return made.problem.text
    const nulls = Object.fromEntries([...removed.value].map(key => [key, null]))
    const reply = await post('/pack/settings', { pack: name, settings: nested({ ...made.payload, ...nulls }) })
    if (!reply.ok) {
      // Reasons begin with the key, as in `sender: expected a string`.
      wrong.value = /^[\w.]+/.exec(reply.reason)?.[0] ?? ''
      element.querySelector<HTMLElement>(`[name="${wrong.value}"]`)?.focus()
    }
    return reply
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
      <FormFields fields={fields} values={draft.value.values} wrong={wrong.value} onChange={change} />
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

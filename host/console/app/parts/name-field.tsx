// The name of a record in forms that have a draft.
import { t } from '../language/translate.ts'

export interface NameFieldProps {
  name: string
  change(part: { name: string }): void
  maxLength?: number
  /** Of a record that gets one without it. */
  proposed?: string | undefined
}

export const NameField = ({ name, change, maxLength, proposed }: NameFieldProps) => (
  <label class="field">
    <span>{t('field.name')}</span>
    <input
      name="name"
      required={proposed === undefined}
      maxLength={maxLength}
      autocomplete="off"
      value={name}
      placeholder={proposed}
      onInput={event => change({ name: event.currentTarget.value })}
    />
  </label>
)

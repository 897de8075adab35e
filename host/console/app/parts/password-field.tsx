// The field of a new password, with a button that shows what was typed.
import { useSignal } from '@preact/signals'
import { t } from '../language/translate.ts'
import { Button } from './button.tsx'

export interface PasswordFieldProps {
  label: string
  hint: string
  isRequired: boolean
}

/** Of the form it is `password`. */
export function PasswordField({ label, hint, isRequired }: PasswordFieldProps) {
  const isShown = useSignal(false)
  return (
    <div class="field">
      <span>
        <label for="new-password">{label}</label>
      </span>
      <div class="joined">
        <input
          id="new-password"
          name="password"
          {...(isShown.value ? { type: 'text' as const } : { type: 'password' as const })}
          autocomplete="new-password"
          spellcheck={false}
          required={isRequired}
          minLength={8}
          maxLength={256}
          aria-describedby="new-password-hint"
        />
        <Button press={() => (isShown.value = !isShown.value)}>
          {t(isShown.value ? 'action.hide' : 'action.show')} <span class="hidden-text">{label}</span>
        </Button>
      </div>
      <small class="hint" id="new-password-hint">
        {hint}
      </small>
    </div>
  )
}

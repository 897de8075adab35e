// The form with which users change their own passwords.
import { post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { TextField } from '../parts/fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { PasswordField } from '../parts/password-field.tsx'

export function OwnPassword({ onClose }: { onClose(): void }) {
  const send = (form: HTMLFormElement) => post('/me/password', Object.fromEntries(new FormData(form)))
  return (
    <FormDialog form="password" title={t('frame.password')} action={t('records.save')} send={send} onClose={onClose}>
      <TextField
        label={t('frame.presentPassword')}
        type="password"
        name="old"
        autocomplete="current-password"
        required
        maxLength={256}
      />
      <PasswordField
        label={t('accounts.newPassword')}
        hint={`${t('accounts.passwordHint')} ${t('frame.otherSessions')}`}
        isRequired
      />
    </FormDialog>
  )
}

// The form with which users change their own passwords.
import { post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { FormDialog } from '../parts/form-dialog.tsx'

export function OwnPassword({ onClose }: { onClose(): void }) {
  const send = (form: HTMLFormElement) => post('/me/password', Object.fromEntries(new FormData(form)))
  return (
    <FormDialog title={t('frame.password')} action={t('records.save')} send={send} onClose={onClose}>
      <label class="field">
        <span>{t('frame.presentPassword')}</span>
        <input type="password" name="old" autocomplete="current-password" required maxLength={256} />
      </label>
      <label class="field">
        <span>{t('accounts.newPassword')}</span>
        <input type="password" name="password" autocomplete="new-password" required minLength={8} maxLength={256} />
        <small class="hint">
          {t('accounts.passwordHint')} {t('frame.otherSessions')}
        </small>
      </label>
    </FormDialog>
  )
}

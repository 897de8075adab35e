// Shows a new token: the only time that anybody sees it.
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { Dialog } from '../../parts/dialog.tsx'

export function NewSecret({ token, onClose }: { token: string; onClose(): void }) {
  return (
    <Dialog title={t('accounts.secret')} onClose={onClose}>
      <div class="form">
        <p>{t('accounts.secretText')}</p>
        <Copyable text={token} label={t('login.token')} />
        <footer>
          <Button text={t('action.close')} press={onClose} />
        </footer>
      </div>
    </Dialog>
  )
}

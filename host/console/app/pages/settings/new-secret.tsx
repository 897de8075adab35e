// Shows a new token: the only time that anybody sees it.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import { Dialog } from '../../parts/dialog.tsx'

export function NewSecret({ token, onClose }: { token: string; onClose(): void }) {
  const field = useRef<HTMLInputElement>(null)
  const isCopied = useSignal(false)
  const copy = async () => {
    field.current?.select()
    // Browsers have no clipboard for pages without TLS: there the text stays selected for Ctrl+C.
    if (!isSecureContext) return
    await navigator.clipboard.writeText(token).then(
      () => (isCopied.value = true),
      () => undefined,
    )
  }
  return (
    <Dialog title={t('accounts.secret')} onClose={onClose}>
      <div class="form">
        <p>{t('accounts.secretText')}</p>
        <div class="secret">
          <input
            ref={field}
            readOnly
            value={token}
            aria-label={t('login.token')}
            onFocus={() => field.current?.select()}
          />
          <button type="button" class="primary" onClick={() => void copy()}>
            {t(isSecureContext ? 'accounts.copy' : 'accounts.select')}
          </button>
        </div>
        <p class="hint" role="status">
          {isCopied.value && t('accounts.copied')}
        </p>
        <footer>
          <button type="button" onClick={onClose}>
            {t('action.close')}
          </button>
        </footer>
      </div>
    </Dialog>
  )
}

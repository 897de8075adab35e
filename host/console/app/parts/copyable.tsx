// A text to copy: a field that selects itself, and a button.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { Button } from './button.tsx'

export function Copyable({ text, label }: { text: string; label: string }) {
  const field = useRef<HTMLInputElement>(null)
  const isCopied = useSignal(false)
  const copy = async () => {
    field.current?.select()
    // Browsers have no clipboard for pages without TLS: there the text stays selected for Ctrl+C.
    if (!isSecureContext) return
    await navigator.clipboard.writeText(text).then(
      () => (isCopied.value = true),
      () => undefined,
    )
  }
  return (
    <>
      <div class="joined">
        <input ref={field} readOnly value={text} aria-label={label} onFocus={() => field.current?.select()} />
        <Button text={t(isSecureContext ? 'accounts.copy' : 'accounts.select')} class="primary" press={copy} />
      </div>
      <p class="hint" role="status">
        {isCopied.value && t('accounts.copied')}
      </p>
    </>
  )
}

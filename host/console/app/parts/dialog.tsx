// A modal dialog: the browser keeps the focus in it and gives it back; Escape closes it.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { ignoreOpener } from '../state/key-presses.ts'
import { askBeforeUnload, doNotAskBeforeUnload } from '../state/reload.ts'

export interface DialogProps {
  title: string
  /** Called when it was closed in any way; the caller removes it then. */
  onClose(): void
  /** Asked before Escape closes it. */
  mayEscape?(): boolean
  /** `wide` for forms with tables. */
  size?: 'wide'
  children: ComponentChildren
}

/** Has the focus in a dialog that marks no other one with `data-first`. */
const firstControl = ':is(input, select, textarea):not(:disabled), footer button'

export function Dialog({ title, onClose, mayEscape, size, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => doNotAskBeforeUnload, [])
  // Before the next key is typed.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    ignoreOpener(element)
    element.showModal()
    // The browser would choose the button that closes it.
    const first = element.querySelector<HTMLElement>('[data-first]') ?? element.querySelector<HTMLElement>(firstControl)
    first?.focus()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={size ? `dialog ${size}` : 'dialog'}
      aria-labelledby={heading}
      onClose={onClose}
      onCancel={event => mayEscape?.() === false && event.preventDefault()}
      onInput={askBeforeUnload}
      onKeyDown={sendForm}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" class="plain icon" aria-label={t('action.close')} onClick={() => dialog.current?.close()}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  )
}

/** Ctrl+Enter sends the form, also from a text of many lines, where Enter begins a line. */
function sendForm({ key, ctrlKey, metaKey, repeat, target }: KeyboardEvent): void {
  if (key !== 'Enter' || !(ctrlKey || metaKey) || repeat || !(target instanceof Element)) return
  target.closest('form')?.requestSubmit()
}

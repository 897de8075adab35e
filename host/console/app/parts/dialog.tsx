// A modal dialog: the browser keeps the focus in it and gives it back; Escape closes it and keeps what was typed.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { forgetDraft, keptOf } from '../state/drafts.ts'
import { ignoreOpener } from '../state/key-presses.ts'
import { dismiss, notify } from '../state/notices.ts'
import { askBeforeUnload, doNotAskBeforeUnload } from '../state/reload.ts'
import { Button } from './button.tsx'
import { ConnectionBanner } from './connection-banner.tsx'

export interface DialogProps {
  title: string
  /** Called when it was closed in any way; the caller removes it then. */
  onClose(): void
  /** Of which what was typed is there again when it is opened again. */
  form?: string | undefined
  /** `wide` for forms with tables. */
  size?: 'wide'
  children: ComponentChildren
}

/** Has the focus in a dialog that marks no other one with `data-first`. */
const firstControl = ':is(input, select, textarea):not(:disabled), footer button'

export function Dialog({ title, onClose, form, size, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isTyped = useRef(form !== undefined && keptOf(form) !== undefined)
  const heading = useId()
  useEffect(() => doNotAskBeforeUnload, [])
  useEffect(() => {
    if (form !== undefined) dismiss(form, 'form')
  }, [])
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
      onClose={({ currentTarget }) => {
        if (isTyped.current) notifyKept(title, form, currentTarget)
        // What the form has proposed.
        else if (form !== undefined) forgetDraft(form)
        onClose()
      }}
      onInput={() => {
        isTyped.current = true
        askBeforeUnload()
      }}
      onClick={({ target }) => {
        if (target instanceof Element && !target.closest('header')) isTyped.current = true
      }}
      onKeyDown={event => confirm(event, event.currentTarget)}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <Button text="×" class="plain icon" aria-label={t('action.close')} press={() => dialog.current?.close()} />
      </header>
      <div role="status">
        <ConnectionBanner />
      </div>
      {children}
    </dialog>
  )
}

function notifyKept(title: string, form: string | undefined, dialog: Element): void {
  const isKept = form !== undefined && keptOf(form) !== undefined
  const passwords = dialog.querySelectorAll<HTMLInputElement>('[autocomplete$="password"]')
  const isLost = [...passwords].some(({ value }) => value !== '')
  const words = [isKept && t('dialog.kept'), isLost && t('dialog.passwordLost')].filter(Boolean).join(' ')
  if (words) notify('info', `${title} · ${words}`, { form: isKept ? form : undefined })
}

/** Ctrl+Enter answers a question with yes, and sends a form, also from a text where Enter begins a line. */
function confirm(event: KeyboardEvent, dialog: HTMLElement): void {
  const { key, ctrlKey, metaKey, repeat, target } = event
  if (key !== 'Enter' || !(ctrlKey || metaKey) || repeat || !(target instanceof Element)) return
  // Else the browser presses the button that has the focus.
  event.preventDefault()
  const yes = dialog.querySelector<HTMLElement>('[data-yes]')
  if (yes) yes.click()
  else target.closest('form')?.requestSubmit()
}

// A dialog with a form: it stays open, with the reason, while what was typed is refused.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Reply } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { refusal, report } from '../state/notices.ts'
import { Dialog, type DialogProps } from './dialog.tsx'
import { textIn } from './room-fields.tsx'

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'size' | 'onClose'> {
  /** The word on the button that sends it. */
  action: string
  /** What was typed is there again when the form is opened again. */
  isKept?: boolean
  /** What the button Cancel does; Escape closes only. */
  onCancel?(): void
  /** Resolves to the reply, to a text that says what is wrong with what was typed, or to undefined: there is nothing to send. */
  send(form: HTMLFormElement): Promise<Reply<unknown> | string | undefined>
  /** What is said of an accepted request; default: that the record is saved, by its field `name`, else by the title. */
  saved?(form: HTMLFormElement): string
  /** After an accepted request; the dialog is closed then. */
  onSaved?(): void
  /** The name of the control that a refusal concerns; else the one that it begins with. */
  fieldOf?(reason: string): string
  children: ComponentChildren
}

/** As in `name: expected at most 64 characters`. */
const keyOf = (reason: string) => /^\w+/.exec(reason)?.[0] ?? ''

export function FormDialog(props: FormDialogProps) {
  const { title, size, onClose, onCancel = onClose, action, isKept, send, onSaved, fieldOf = keyOf, children } = props
  const savedWords = (form: HTMLFormElement) =>
    t('records.saved', { name: textIn(new FormData(form), 'name') || title })
  const isTyped = useRef(false)
  const problem = useSignal('')
  const isBusy = useSignal(false)
  const refuse = (form: HTMLFormElement, reply: Reply<unknown>) => {
    problem.value = refusal(reply)
    const field = form.elements.namedItem(fieldOf(reply.reason))
    if (!(field instanceof HTMLElement)) return
    field.ariaInvalid = 'true'
    field.focus()
  }
  const submit = async (form: HTMLFormElement) => {
    if (isBusy.value) return
    isBusy.value = true
    const reply = await send(form)
    isBusy.value = false
    if (!reply) onClose()
    else if (typeof reply === 'string') problem.value = reply
    else if (!reply.ok) refuse(form, reply)
    else {
      report(reply, (props.saved ?? savedWords)(form))
      onClose()
      onSaved?.()
    }
  }
  const mayEscape = () => {
    const words = t('action.escape')
    if (isKept || !isTyped.current || problem.value === words) return true
    problem.value = words
    return false
  }
  return (
    <Dialog title={title} onClose={onClose} mayEscape={mayEscape} {...(size && { size })}>
      <form
        class="form"
        onInput={({ target }) => {
          isTyped.current = true
          if (target instanceof HTMLElement) target.ariaInvalid = null
          if (problem.value === t('action.escape')) problem.value = ''
        }}
        onSubmit={event => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        {children}
        <footer>
          <p class="problem" role="alert">
            {problem.value}
          </p>
          <button type="button" onClick={onCancel}>
            {t('action.cancel')}
          </button>
          <button type="submit" class="primary" aria-disabled={isBusy.value}>
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

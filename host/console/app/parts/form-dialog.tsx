// A dialog with a form: it stays open, with the reason, while what was typed is refused; Cancel gives that up, Escape keeps it.
import { useSignal, useSignalEffect } from '@preact/signals'
import { type ComponentChildren, Fragment, type TargetedEvent } from 'preact'
import { useRef } from 'preact/hooks'
import type { Problem } from '../actions/field-values.ts'
import type { Reply } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { discardDraft, forgetDraft, keptOf, useDiscarded } from '../state/drafts.ts'
import { connection } from '../state/event-stream.ts'
import { refusal, report } from '../state/notices.ts'
import { Button } from './button.tsx'
import type { Clash } from './changed-meanwhile.ts'
import { Answers, type AnswersProps } from './confirmation.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { fieldsOf, useTypedFields } from './typed-fields.ts'

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'size' | 'onClose'> {
  /** Its name among those of which what was typed is kept: with the id of what it edits. */
  form: string
  /** The word on the button that sends it. */
  action: string
  isDestructive?: boolean
  /** The button that sends it has the focus. */
  isFirst?: boolean
  /** It is answered, in place of the buttons: Enter does not send it. */
  question?: AnswersProps['question'] | undefined
  /** `to`: the computers of the answer. Resolves to the reply, to what is wrong with what was typed, or to undefined: there is nothing to send. */
  send(form: HTMLFormElement, to?: readonly string[]): Promise<Reply<unknown> | Clash | Problem | string | undefined>
  /** What is said of an accepted request; default: that the record is saved, by its field `name`, else by the title. */
  saved?(form: HTMLFormElement): string
  /** After an accepted request; the dialog is closed then. */
  onSaved?(): void
  /** The name of the control that a refusal concerns; else the one that it begins with. */
  fieldOf?(reason: string): string
  children: ComponentChildren
}

export const textIn = (data: FormData, name: string): string => String(data.get(name) ?? '').trim()

/** As in `name: expected at most 64 characters`. */
export const keyOf = (reason: string) => /^[\w.]+/.exec(reason)?.[0] ?? ''

/** What the form does: sending it, and what is said of that. */
function useSending(props: FormDialogProps) {
  const { form: key, title, onClose, send, fieldOf = keyOf } = props
  const savedWords = (form: HTMLFormElement) =>
    t('records.saved', { name: textIn(new FormData(form), 'name') || title })
  const problem = useSignal('')
  // It does again.
  useSignalEffect(() => {
    if (connection.value === 'live' && problem.peek() === t('notice.unsent')) problem.value = ''
  })
  const theirs = useSignal<Clash['theirs']>([])
  const isBusy = useSignal(false)
  const end = () => {
    forgetDraft(key)
    onClose()
  }
  const refuse = (form: HTMLFormElement, words: string, name: string) => {
    problem.value = words
    const fields = fieldsOf(form, name)
    for (const field of fields) field.ariaInvalid = 'true'
    fields[0]?.focus()
  }
  const submit = async (form: HTMLFormElement, to?: readonly string[]) => {
    if (isBusy.value) return
    isBusy.value = true
    for (const each of form.querySelectorAll('[aria-invalid]')) each.ariaInvalid = null
    const reply = await send(form, to)
    isBusy.value = false
    theirs.value = []
    if (!reply) end()
    else if (typeof reply === 'string') refuse(form, reply, fieldOf(reply))
    else if ('key' in reply) refuse(form, reply.text, reply.key)
    else if ('theirs' in reply) {
      problem.value = reply.problem
      theirs.value = reply.theirs
    } else if (!reply.ok) refuse(form, refusal(reply), fieldOf(reply.reason))
    else {
      report(reply, (props.saved ?? savedWords)(form))
      end()
      props.onSaved?.()
    }
  }
  const take = (chosen: Clash['theirs'][number]) => {
    chosen.take()
    theirs.value = theirs.value.filter(other => other !== chosen)
    if (theirs.value.length === 0) problem.value = ''
  }
  return { problem, theirs, isBusy, end, submit, take }
}

export function FormDialog(props: FormDialogProps) {
  const { form: key, title, size, onClose, action, question, isDestructive, isFirst, children } = props
  const form = useRef<HTMLFormElement>(null)
  const discards = useSignal(0)
  useDiscarded(key, () => (discards.value = discards.peek() + 1))
  const keepFields = useTypedFields(key, form, discards.value)
  const { problem, theirs, isBusy, end, submit, take } = useSending(props)
  const said = (
    <p class="problem" role="alert">
      {problem.value}
    </p>
  )
  return (
    <Dialog title={title} form={key} onClose={onClose} {...(size && { size })}>
      <form
        class="form"
        ref={form}
        onInput={({ target, currentTarget }) => {
          if (!(target instanceof Element)) return
          keepFields(target)
          const name = target.getAttribute('name')
          if (name) for (const field of fieldsOf(currentTarget, name)) field.ariaInvalid = null
        }}
        onSubmit={event => {
          event.preventDefault()
          if (!question) void submit(event.currentTarget)
        }}
      >
        <Kept form={key} />
        <Fragment key={discards.value}>{children}</Fragment>
        {question && said}
        {question ? (
          <Answers question={question} answer={to => (to && form.current ? void submit(form.current, to) : end())} />
        ) : (
          <footer>
            {said}
            {theirs.value.map(each => (
              <Button
                key={each.words}
                text={t('records.takeTheirs', { value: each.words })}
                title={each.words}
                press={() => take(each)}
              />
            ))}
            <Button text={t('action.cancel')} press={end} />
            <button
              type="submit"
              class={isDestructive ? 'danger' : 'primary'}
              aria-disabled={isBusy.value}
              data-first={isFirst || undefined}
            >
              {action}
            </button>
          </footer>
        )}
      </form>
    </Dialog>
  )
}

/** Says that the form does not show what is stored, but what was typed when it was open before. */
function Kept({ form }: { form: string }) {
  const isKept = useSignal(keptOf(form) !== undefined)
  const discard = ({ currentTarget }: TargetedEvent<HTMLElement>) => {
    // The fields are drawn again.
    currentTarget.closest('form')?.querySelector<HTMLElement>('footer button')?.focus()
    isKept.value = false
    discardDraft(form)
  }
  if (!isKept.value) return null
  return (
    <p class="banner warn head">
      {t('dialog.unsaved')} <Button text={t('action.discard')} press={discard} />
    </p>
  )
}

// The form of a command, made from its schema. It is sent to the computers that were selected when it was opened.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { post, type Reply } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { Answers, ask } from '../parts/confirmation.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { InUse } from '../parts/in-use.tsx'
import { MoreMatches } from '../parts/more-matches.tsx'
import { doneWords, questionOf, targetWords } from '../parts/target-words.ts'
import { type CommandChoice, choice, labelOf } from '../state/commands.ts'
import { forgetDraft } from '../state/drafts.ts'
import { refusal, report } from '../state/notices.ts'
import { showJob } from '../state/running-jobs.ts'
import { DeliveryFields, deliveryQuery } from './delivery-fields.tsx'
import { kindOf, type Problem, toPayload } from './field-values.ts'
import { FormFields } from './form-fields.tsx'
import { type OwnForm, ownFormOf } from './own-forms.ts'
import { useTyped } from './typed-values.ts'

export function CommandDialog() {
  const chosen = choice.value
  const Form = chosen && ownFormOf(chosen.command.name).Form
  if (Form) return <ReplacedDialog chosen={chosen} Form={Form} />
  return chosen ? <CommandForm key={chosen.command.path} chosen={chosen} /> : null
}

/** What the form has and does: the values, what was refused, and sending it. */
function useCommand(chosen: CommandChoice) {
  const { command, targets } = chosen
  const { path, fields, isDestructive, name } = command
  const form = useRef<HTMLFormElement>(null)
  const ownForm = ownFormOf(name)
  const { draft, change, deliver } = useTyped(chosen)
  const problem = useSignal<Problem | undefined>(undefined)
  const answer = useSignal<unknown>(undefined)
  const isBusy = useSignal(false)
  const all = targets.map(({ ip }) => ip)
  const meant = useSignal<readonly string[] | undefined>(undefined)
  const clients = meant.value ?? all
  const action = labelOf(command)
  const question = { title: action, text: questionOf(name, clients), action, clients, isDivisible: true }
  const submit = async () => {
    const made = toPayload(fields, draft.value.values)
    problem.value = 'problem' in made ? made.problem : undefined
    if ('problem' in made) return
    const chosen = isDestructive ? await ask(question) : clients
    if (chosen) await send(chosen, made.payload)
  }
  const send = async (chosen: readonly string[], payload: object = {}) => {
    isBusy.value = true
    const reply = await post<unknown>(`${path}${deliveryQuery(draft.value.delivery)}`, { clients: chosen, ...payload })
    isBusy.value = false
    if (!reply.ok) return refuse(reply)
    forgetDraft(path)
    ownForm.onSent?.(draft.value.values)
    answer.value = reply.value
    if (reply.value === undefined) choice.value = undefined
    report(reply, reply.job === undefined ? doneWords(name, chosen, payload) : '')
    if (reply.job !== undefined) showJob(reply.job)
  }
  const refuse = (reply: Reply<unknown>) => {
    // Reasons begin with the key, as in `disk: expected a string`.
    const key = /^\w+/.exec(reply.reason)?.[0] ?? ''
    problem.value = { key, text: refusal(reply) }
    form.current?.querySelector<HTMLElement>(`[name="${key}"]`)?.focus()
  }
  const limitTo = (some: readonly string[] | undefined) => {
    meant.value = some
  }
  return {
    form,
    draft,
    problem,
    answer,
    isBusy,
    submit,
    send,
    change,
    deliver,
    question,
    ownForm,
    ownProps: { values: draft.value.values, change, clients: all, limitTo },
  }
}

/** Focuses what had the focus when the form is closed. */
function useFocus(): void {
  const opener = useMemo(() => document.activeElement, [])
  useEffect(() => {
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
}

function close(): void {
  choice.value = undefined
}

interface ReplacedDialogProps {
  chosen: CommandChoice
  Form: NonNullable<OwnForm['Form']>
}

function ReplacedDialog({ chosen: { command, targets }, Form }: ReplacedDialogProps) {
  const clients = targets.map(({ ip }) => ip)
  useFocus()
  return (
    <Dialog title={labelOf(command)} onClose={close} size="wide" form={command.path}>
      <div>
        <p class="target destructive">{questionOf(command.name, clients)}</p>
        <MoreMatches />
        <Form form={command.path} clients={clients} onSent={close} />
      </div>
    </Dialog>
  )
}

function CommandForm({ chosen }: { chosen: CommandChoice }) {
  const { name, isDestructive, canWait } = chosen.command
  const command = useCommand(chosen)
  const { ownForm, ownProps, form, draft, problem, answer, isBusy, submit, send, change, question } = command
  useFocus()
  const fields = chosen.command.fields.filter(({ key }) => !ownForm.hidden.includes(key))
  const { action, text, clients } = question
  // Without fields the form itself is the question, which Enter never answers.
  const isQuestion = isDestructive && fields.length === 0
  const isWide = fields.some(field => kindOf(field) === 'rows')
  const no = answer.value === undefined ? t('action.cancel') : t('action.close')
  return (
    <Dialog
      title={action}
      onClose={close}
      form={answer.value === undefined ? chosen.command.path : undefined}
      {...(isWide && { size: 'wide' as const })}
    >
      <form
        class="command-form"
        ref={form}
        onSubmit={event => {
          event.preventDefault()
          if (!isQuestion) void submit()
        }}
      >
        <p class={isDestructive ? 'target destructive' : 'target'}>{isDestructive ? text : targetWords(clients)}</p>
        <MoreMatches />
        {isDestructive && <InUse clients={clients} />}
        {ownForm.Fields && <ownForm.Fields {...ownProps} />}
        <FormFields
          command={name}
          fields={fields}
          values={draft.value.values}
          wrong={problem.value?.key ?? ''}
          onChange={change}
        />
        {canWait && !ownForm.isNow && <DeliveryFields delivery={draft.value.delivery} change={command.deliver} />}
        <p class="problem" role="alert">
          {problem.value?.text}
        </p>
        <Answer value={answer.value} />
        {isQuestion ? (
          <Answers question={question} isBusy={isBusy.value} no={no} answer={to => (to ? void send(to) : close())} />
        ) : (
          <footer>
            <button
              type="button"
              onClick={() => {
                forgetDraft(chosen.command.path)
                close()
              }}
            >
              {no}
            </button>
            <button
              type="submit"
              class={isDestructive ? 'danger' : 'primary'}
              disabled={isBusy.value}
              data-first={(fields.length === 0 && !ownForm.Fields) || undefined}
            >
              {action}
            </button>
          </footer>
        )}
      </form>
    </Dialog>
  )
}

/** What a command has answered at once, such as the last output of each computer. */
function Answer({ value }: { value: unknown }) {
  if (value === undefined) return null
  return (
    <pre class="command-answer" role="status">
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  )
}

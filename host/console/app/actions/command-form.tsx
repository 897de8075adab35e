// The form of a command, made from its schema. It is sent to the computers that were selected when it was opened.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { post } from '../api/request.ts'
import { CommandAnswer } from '../parts/command-answer.tsx'
import { ask } from '../parts/confirmation.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { InUse } from '../parts/in-use.tsx'
import { UndoDaysOf } from '../parts/record-actions.tsx'
import { TargetList } from '../parts/target-list.tsx'
import { doneWords, questionOf, targetWords } from '../parts/target-words.ts'
import { type CommandChoice, choice, labelOf } from '../state/commands.ts'
import { showJob } from '../state/running-jobs.ts'
import { DeliveryFields, deliveryQuery } from './delivery-fields.tsx'
import { kindOf, toPayload } from './field-values.ts'
import { FormFields } from './form-fields.tsx'
import { type OwnForm, ownFormOf } from './own-forms.ts'
import { useTyped } from './typed-values.ts'

export function CommandDialog() {
  const chosen = choice.value
  const Form = chosen && ownFormOf(chosen.command.name).Form
  if (Form) return <ReplacedDialog chosen={chosen} Form={Form} />
  return chosen ? <CommandForm key={chosen.command.path} chosen={chosen} /> : null
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
        <p class="target banner bad">{questionOf(command.name, clients)}</p>
        <TargetList clients={clients} />
        <Form form={command.path} clients={clients} onSent={close} />
      </div>
    </Dialog>
  )
}

function CommandForm({ chosen: { command, targets, first } }: { chosen: CommandChoice }) {
  const { name, path, fields, isDestructive, canWait } = command
  const ownForm = ownFormOf(name)
  const { draft, change, deliver } = useTyped(command, first)
  const { values, delivery } = draft.value
  const answer = useSignal<unknown>(undefined)
  const meant = useSignal<readonly string[] | undefined>(undefined)
  const done = useRef('')
  useFocus()
  const clients = meant.value ?? targets.map(({ ip }) => ip)
  const action = labelOf(command)
  const text = questionOf(name, clients)
  const question = { title: action, text, action, clients, isDivisible: true }
  const shown = fields.filter(({ key }) => !ownForm.hidden.includes(key))
  // Without fields the form itself is the question, which Enter never answers.
  const isQuestion = isDestructive && shown.length === 0
  const send = async (_: HTMLFormElement, answered?: readonly string[]) => {
    const made = toPayload(fields, values)
    if ('problem' in made) return made.problem
    const to = answered ?? (isDestructive ? await ask(question) : clients)
    if (!to) return { key: '', text: '' }
    const reply = await post<unknown>(`${path}${deliveryQuery(delivery)}`, { clients: to, ...made.payload })
    if (!reply.ok) return reply
    ownForm.onSent?.(values)
    answer.value = reply.value
    done.current = reply.job === undefined ? doneWords(name, to, made.payload) : ''
    if (reply.job !== undefined) showJob(reply.job)
    return reply
  }
  if (answer.value !== undefined) return <CommandAnswer title={action} value={answer.value} onClose={close} />
  const limitTo = (some: readonly string[] | undefined) => {
    meant.value = some
  }
  return (
    <FormDialog
      form={path}
      title={action}
      action={action}
      isDestructive={isDestructive}
      isFirst={shown.length === 0 && !ownForm.Fields}
      send={send}
      saved={() => done.current}
      onClose={() => answer.peek() === undefined && close()}
      {...(shown.some(field => kindOf(field) === 'rows') && { size: 'wide' })}
      question={isQuestion ? question : undefined}
    >
      <p class={isDestructive ? 'target banner bad' : 'target banner'}>{isDestructive ? text : targetWords(clients)}</p>
      <TargetList clients={clients} />
      {ownForm.deletes && <UndoDaysOf kind={ownForm.deletes} />}
      {isDestructive && <InUse clients={clients} />}
      {ownForm.Fields && (
        <ownForm.Fields values={values} change={change} clients={targets.map(({ ip }) => ip)} limitTo={limitTo} />
      )}
      <FormFields command={name} fields={shown} values={values} onChange={change} />
      {canWait && !ownForm.isNow && <DeliveryFields delivery={delivery} change={deliver} />}
    </FormDialog>
  )
}

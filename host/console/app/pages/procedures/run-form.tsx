// Asks before a procedure or a task runs, and opens its job.
import { useSignal } from '@preact/signals'
import type { ProcedureAnswer, TaskAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { ComputerChoice, useAddresses } from '../../parts/computer-choice.tsx'
import { Answers } from '../../parts/confirmation.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { InUse } from '../../parts/in-use.tsx'
import { forgetDraft, useDraft } from '../../state/drafts.ts'
import { refusal } from '../../state/notices.ts'
import { showJob } from '../../state/running-jobs.ts'
import { computersOf, computerWords, type StepListKind } from './step-words.ts'

export interface RunFormProps {
  kind: StepListKind
  record: ProcedureAnswer | TaskAnswer
  onClose(): void
}

/** A task has its computers; for a procedure they are chosen. */
export function RunForm({ kind, record, onClose }: RunFormProps) {
  const { id, name } = record
  const form = `run ${kind}/${id}`
  const { draft, change } = useDraft(form, { computers: computersOf(record) })
  const { computers } = draft.value
  const problem = useSignal('')
  const isBusy = useSignal(false)
  const found = useAddresses(computers)
  const clients = found ?? []
  const run = async (chosen: readonly string[]) => {
    problem.value = chosen.length === 0 ? t('computers.none') : ''
    if (problem.value) return
    isBusy.value = true
    const reply = await (kind === 'task'
      ? post('/task/run', { task: String(id) })
      : post('/procedure/run', { clients: chosen, procedure: String(id) }))
    isBusy.value = false
    if (!reply.ok) problem.value = refusal(reply)
    else end()
    if (reply.job !== undefined) showJob(reply.job)
  }
  const end = () => {
    forgetDraft(form)
    onClose()
  }
  return (
    <Dialog form={form} title={t('procedures.runTitle', { name })} onClose={onClose}>
      <div class="form">
        <p>{found && t(`procedures.runText.${kind}`, { name, n: clients.length })}</p>
        {kind === 'task' ? (
          <p class="hint">{computerWords(computers)}</p>
        ) : (
          <ComputerChoice value={computers} onChange={computers => change({ computers })} />
        )}
        <InUse clients={clients} />
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <Answers
          question={{ action: t('procedures.run'), clients, isDivisible: kind === 'procedure' }}
          isBusy={isBusy.value}
          answer={chosen => (chosen ? void run(chosen) : end())}
        />
      </div>
    </Dialog>
  )
}

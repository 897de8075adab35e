// Asks before a procedure or a task runs, and leads to its job.
import { useSignal } from '@preact/signals'
import type { ProcedureAnswer, TaskAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { ComputerChoice, type ComputerSet, useAddresses } from '../../parts/computer-choice.tsx'
import { Answers } from '../../parts/confirmation.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { InUse } from '../../parts/in-use.tsx'
import { refusal } from '../../state/notices.ts'
import { linkTo } from '../../state/route.ts'
import { computersOf, computerWords, type StepListKind } from './step-words.ts'

export interface RunFormProps {
  kind: StepListKind
  record: ProcedureAnswer | TaskAnswer
  onClose(): void
}

/** A task has its computers; for a procedure they are chosen. */
export function RunForm({ kind, record, onClose }: RunFormProps) {
  const { id, name } = record
  const computers = useSignal<ComputerSet>(computersOf(record))
  const problem = useSignal('')
  const isBusy = useSignal(false)
  const job = useSignal<number | undefined>(undefined)
  const found = useAddresses(computers.value)
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
    else if (reply.job === undefined) onClose()
    else job.value = reply.job
  }
  return (
    <Dialog title={t('procedures.runTitle', { name })} onClose={onClose}>
      <div class="form">
        <p>{found && t(`procedures.runText.${kind}`, { name, n: clients.length })}</p>
        {kind === 'task' ? (
          <p class="hint">{computerWords(computers.value)}</p>
        ) : (
          job.value === undefined && (
            <ComputerChoice value={computers.value} onChange={next => (computers.value = next)} />
          )
        )}
        {job.value === undefined && <InUse clients={clients} />}
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <p role="status" class="done">
          {job.value !== undefined && (
            <>
              {t('procedures.started')}{' '}
              <a href={linkTo('job', job.value)}>{t('panel.job', { id: String(job.value) })}</a>
            </>
          )}
        </p>
        {job.value === undefined ? (
          <Answers
            question={{ action: t('procedures.run'), clients, isDivisible: kind === 'procedure' }}
            isBusy={isBusy.value}
            answer={chosen => (chosen ? void run(chosen) : onClose())}
          />
        ) : (
          <footer>
            <button type="button" onClick={onClose}>
              {t('action.close')}
            </button>
          </footer>
        )}
      </div>
    </Dialog>
  )
}

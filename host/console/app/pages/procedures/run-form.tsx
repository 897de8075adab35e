// Asks before a procedure or a task runs, and leads to its job.
import { useSignal } from '@preact/signals'
import type { ProcedureAnswer, TaskAnswer } from '../../api/record-answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { addressesIn, ComputerChoice, type ComputerSet } from '../../parts/computer-choice.tsx'
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
  const run = async () => {
    const clients = addressesIn(computers.value)
    problem.value = clients.length === 0 ? t('computers.none') : ''
    if (problem.value) return
    isBusy.value = true
    const reply = await (kind === 'task'
      ? post('/task/run', { task: String(id) })
      : post('/procedure/run', { clients, procedure: String(id) }))
    isBusy.value = false
    if (!reply.ok) problem.value = refusal(reply)
    else if (reply.job === undefined) onClose()
    else job.value = reply.job
  }
  return (
    <Dialog title={t('procedures.runTitle', { name })} onClose={onClose}>
      <div class="form">
        <p>{t(`procedures.runText.${kind}`, { name, n: addressesIn(computers.value).length })}</p>
        {kind === 'task' ? (
          <p class="hint">{computerWords(computers.value)}</p>
        ) : (
          job.value === undefined && (
            <ComputerChoice value={computers.value} onChange={next => (computers.value = next)} />
          )
        )}
        {job.value === undefined && <InUse clients={addressesIn(computers.value)} />}
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
        <footer>
          <button type="button" onClick={onClose}>
            {t(job.value === undefined ? 'action.cancel' : 'action.close')}
          </button>
          {job.value === undefined && (
            <button type="button" class="primary" disabled={isBusy.value} onClick={() => void run()}>
              {t('procedures.run')}
            </button>
          )}
        </footer>
      </div>
    </Dialog>
  )
}

// Asks before a procedure or a task runs, and opens its job.
import type { ProcedureAnswer, TaskAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { ComputerChoice, useAddresses } from '../../parts/computer-choice.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { InUse } from '../../parts/in-use.tsx'
import { useDraft } from '../../state/drafts.ts'
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
  const found = useAddresses(computers)
  const clients = found ?? []
  const run = async (_: HTMLFormElement, to: readonly string[] = []) => {
    if (to.length === 0) return t('computers.none')
    const reply = await (kind === 'task'
      ? post('/task/run', { task: String(id) })
      : post('/procedure/run', { clients: to, procedure: String(id) }))
    if (reply.job !== undefined) showJob(reply.job)
    return reply
  }
  const action = t('procedures.run')
  return (
    <FormDialog
      form={form}
      title={t('procedures.runTitle', { name })}
      action={action}
      send={run}
      saved={() => ''}
      onClose={onClose}
      question={{ action, clients, isDivisible: kind === 'procedure' }}
    >
      <p>{found && t(`procedures.runText.${kind}`, { name, n: clients.length })}</p>
      {kind === 'task' ? (
        <p class="hint">{computerWords(computers)}</p>
      ) : (
        <ComputerChoice value={computers} onChange={computers => change({ computers })} />
      )}
      <InUse clients={clients} />
    </FormDialog>
  )
}

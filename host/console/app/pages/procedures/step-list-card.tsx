// One procedure or task: its steps in order, its computers, and what can be done with it.
import type { ProcedureAnswer, ProcedureStep, TaskAnswer, TaskStep } from '../../api/record-answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { confirmed } from '../../parts/confirmation.tsx'
import { report } from '../../state/notices.ts'
import { may } from '../../state/session.ts'
import { centerName, computersOf, computerWords, type StepListKind, type StepLists, stepWords } from './step-words.ts'

export interface StepListCardProps {
  kind: StepListKind
  record: ProcedureAnswer | TaskAnswer
  lists: StepLists
  run(): void
  edit(): void
  reload(): Promise<void>
}

export function StepListCard({ kind, record, lists, run, edit, reload }: StepListCardProps) {
  const { name, description, center, steps } = record
  return (
    <li class="card record">
      <div class="record-text">
        <h3>{name}</h3>
        {description && <p>{description}</p>}
        {steps.length === 0 ? <p class="hint">{t('steps.none')}</p> : <StepSequence steps={steps} lists={lists} />}
        <p class="hint">{kind === 'task' ? computerWords(computersOf(record)) : centerName(center)}</p>
      </div>
      <div class="actions">
        {may('operate') && steps.length > 0 && (
          <button type="button" onClick={run}>
            {t('procedures.run')} <span class="hidden-text">{name}</span>
          </button>
        )}
        {may('admin') && (
          <>
            <button type="button" onClick={edit}>
              {t('records.edit')} <span class="hidden-text">{name}</span>
            </button>
            <button type="button" onClick={() => void remove(kind, record, reload)}>
              {t('records.delete')} <span class="hidden-text">{name}</span>
            </button>
          </>
        )}
      </div>
    </li>
  )
}

function StepSequence({ steps, lists }: { steps: readonly (ProcedureStep | TaskStep)[]; lists: StepLists }) {
  return (
    <ol class="steps">
      {steps.map((step, index) => (
        <li key={index}>
          <span class={'command' in step ? 'step' : 'step list'}>{stepWords(step, lists)}</span>
        </li>
      ))}
    </ol>
  )
}

async function remove(
  kind: StepListKind,
  { id, name }: ProcedureAnswer | TaskAnswer,
  reload: () => Promise<void>,
): Promise<void> {
  const isSure = await confirmed(
    t(`procedures.delete.${kind}`),
    t('procedures.deleteText', { name }),
    t('records.delete'),
  )
  if (!isSure) return
  report(await post(`/${kind}/delete`, { id: String(id) }), t('records.deleted', { name }))
  await reload()
}

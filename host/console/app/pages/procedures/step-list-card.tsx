// One procedure or task: its steps in order, its computers, and what can be done with it.
import type { ProcedureAnswer, ProcedureStep, TaskAnswer, TaskStep } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { deleteRecord } from '../../parts/record-actions.tsx'
import { optionWords } from '../../parts/run-options.tsx'
import { may } from '../../state/session.ts'
import {
  centerName,
  computersOf,
  computerWords,
  runOptionsOf,
  type StepListKind,
  type StepLists,
  stepWords,
} from './step-words.ts'

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
    <li class="card row record">
      <div class="record-text">
        <h3>{name}</h3>
        {description && <p>{description}</p>}
        {steps.length === 0 ? <p class="hint">{t('steps.none')}</p> : <StepSequence steps={steps} lists={lists} />}
        <p class="hint">{kind === 'task' ? taskWords(record).join(' · ') : centerName(center)}</p>
      </div>
      <div class="actions">
        {may('operate') && steps.length > 0 && <Button text={t('procedures.run')} of={name} press={run} />}
        {may('admin') && (
          <>
            <Button text={t('records.edit')} of={name} press={edit} />
            <Button text={t('records.delete')} of={name} press={() => remove(kind, record, reload)} />
          </>
        )}
      </div>
    </li>
  )
}

const taskWords = (task: StepListCardProps['record']): string[] => [
  computerWords(computersOf(task)),
  ...optionWords(runOptionsOf(task)),
]

function StepSequence({ steps, lists }: { steps: readonly (ProcedureStep | TaskStep)[]; lists: StepLists }) {
  return (
    <ol class="steps row">
      {steps.map((step, index) => (
        <li key={index}>
          <span class={'command' in step ? 'badge' : 'badge violet'}>{stepWords(step, lists)}</span>
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
  const [title, text] = [t(`procedures.delete.${kind}`), t('procedures.deleteText', { name })]
  await deleteRecord({ title, text, path: `/${kind}/delete`, id, name })
  await reload()
}

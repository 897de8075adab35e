// Procedures and tasks: lists of steps that can be run, edited and scheduled.
import { useSignal } from '@preact/signals'
import type { ProcedureAnswer, TaskAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import type { Resource } from '../../state/resource.ts'
import { may } from '../../state/session.ts'
import { RunForm } from './run-form.tsx'
import { StepListCard } from './step-list-card.tsx'
import { StepListEditor } from './step-list-editor.tsx'
import { isLasting, type StepListKind, type StepLists, useStepLists } from './step-words.ts'

/** What a dialog is open for. */
interface Opened {
  kind: StepListKind
  record: ProcedureAnswer | TaskAnswer | undefined
  isRun: boolean
}

export function ProceduresPage() {
  const { procedures, tasks, lists } = useStepLists()
  const opened = useSignal<Opened | undefined>(undefined)
  const open = (next: Opened | undefined) => {
    opened.value = next
  }
  const section = (kind: StepListKind, resource: Resource<Partial<StepLists>>) => (
    <Section key={kind} kind={kind} resource={resource} lists={lists} open={open} />
  )
  const shown = opened.value
  /** As others have changed it meanwhile. */
  const live = (shown?.kind === 'task' ? lists.tasks : lists.procedures).find(({ id }) => id === shown?.record?.id)
  return (
    <>
      <PageHead title={t('procedures.procedures')} />
      {section('procedure', procedures)}
      {section('task', tasks)}
      {shown?.isRun && shown.record && (
        <RunForm kind={shown.kind} record={shown.record} onClose={() => open(undefined)} />
      )}
      {shown && !shown.isRun && (
        <StepListEditor
          kind={shown.kind}
          record={live ?? shown.record}
          lists={lists}
          onClose={() => open(undefined)}
          onSaved={() => void (shown.kind === 'task' ? tasks : procedures).reload()}
        />
      )}
    </>
  )
}

interface SectionProps {
  kind: StepListKind
  resource: Resource<Partial<StepLists>>
  lists: StepLists
  open(opened: Opened): void
}

function Section({ kind, resource, lists, open }: SectionProps) {
  const records = (kind === 'task' ? lists.tasks : lists.procedures).filter(isLasting)
  return (
    <section class="flow" aria-label={t(`procedures.${kind}s`)}>
      <div class="head">
        <div>
          <h2>{t(`procedures.${kind}s`)}</h2>
          <p class="hint">{t(`procedures.${kind}Hint`)}</p>
        </div>
        {may('admin') && (
          <Button text={t(`procedures.new.${kind}`)} press={() => open({ kind, record: undefined, isRun: false })} />
        )}
      </div>
      <ResourceView resource={resource}>
        {() =>
          records.length === 0 ? (
            <p class="card empty-state">{t(`procedures.none.${kind}`)}</p>
          ) : (
            <ul class="list">
              {records.map(record => (
                <StepListCard
                  key={record.id}
                  kind={kind}
                  record={record}
                  lists={lists}
                  run={() => open({ kind, record, isRun: true })}
                  edit={() => open({ kind, record, isRun: false })}
                  reload={resource.reload}
                />
              ))}
            </ul>
          )
        }
      </ResourceView>
    </section>
  )
}

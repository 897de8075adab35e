// The form of a procedure or a task.
import type { ProcedureAnswer, ProcedureStep, TaskAnswer, TaskStep } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { useFormRecord } from '../../parts/changed-meanwhile.ts'
import { ComputerChoice, type ComputerSet, isEmpty } from '../../parts/computer-choice.tsx'
import { Choice, NameField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import {
  isBatch,
  LimitFields,
  type OptionFieldsProps,
  optionsDraft,
  optionsOf,
  optionWords,
  type RunOptionsDraft,
  WakeFields,
} from '../../parts/run-options.tsx'
import { useDraft } from '../../state/drafts.ts'
import { centers } from '../../state/lab.ts'
import { draftOf, type StepDraft, stepOf } from './step-drafts.ts'
import { StepSequenceEditor } from './step-sequence.tsx'
import { computersOf, computerWords, runOptionsOf, type StepListKind, type StepLists, stepWords } from './step-words.ts'

interface ListDraft {
  /** Undefined: the first one, which may still be loading. */
  center: number | undefined
  name: string
  description: string
  steps: readonly StepDraft[]
  /** Undefined: as they are. */
  computers: ComputerSet | undefined
  /** Of a task. */
  options: RunOptionsDraft
}

export interface StepListEditorProps {
  kind: StepListKind
  /** Undefined for a new one. */
  record: ProcedureAnswer | TaskAnswer | undefined
  lists: StepLists
  onClose(): void
  onSaved(): void
}

export function StepListEditor({ kind, record, lists, onClose, onSaved }: StepListEditorProps) {
  const form = `${kind}/${record?.id}`
  const { draft, change } = useDraft<ListDraft>(form, {
    center: record?.center,
    name: record?.name ?? '',
    description: record?.description ?? '',
    steps: record?.steps.map(draftOf) ?? [],
    computers: undefined,
    options: optionsDraft(runOptionsOf(record)),
  })
  const { save } = useFormRecord(form, {
    record: record && recordOf(record),
    take: ({ steps, options, ...theirs }) =>
      change({
        ...theirs,
        ...(steps && { steps: steps.map(draftOf) }),
        ...(options && { options: optionsDraft(options) }),
      }),
    wordsOf: ({ steps, computers, options }) => ({
      steps: steps.map(step => stepWords(step, lists)).join(', '),
      computers: computerWords(computers),
      options: optionWords(options).join(', '),
    }),
  })
  const send = async () => {
    const typed = typedIn(kind, { ...draft.value, center })
    if (typeof typed === 'string') return typed
    return save(typed, ({ center = record?.center, computers, ...changed }) => {
      const place = { center: String(center), name: record?.name, ...(record && { [kind]: String(record.id) }) }
      return post(`/${kind}/${record ? 'update' : 'add'}`, {
        ...place,
        ...changed,
        ...(computers && targetOf(computers)),
      })
    })
  }
  const changeOptions = (part: Partial<RunOptionsDraft>) => change({ options: { ...draft.value.options, ...part } })
  const { name, description, steps, computers, options } = draft.value
  const center = draft.value.center ?? centers.value[0]?.id ?? 0
  const title = record ? t(`procedures.edit.${kind}`) : t(`procedures.new.${kind}`)
  return (
    <FormDialog
      form={form}
      title={title}
      size="wide"
      action={t('records.save')}
      send={send}
      saved={() => t('records.saved', { name })}
      onClose={onClose}
      onSaved={onSaved}
    >
      <NameFields center={center} name={name} description={description} change={change} />
      <StepSequenceEditor
        kind={kind}
        ownId={record?.id}
        steps={steps}
        lists={lists}
        onChange={steps => change({ steps })}
      />
      {kind === 'task' && (
        <ComputerChoice
          value={computers ?? (record ? computersOf(record) : { type: 'center', id: center })}
          onChange={computers => change({ computers })}
          takesQuery
        />
      )}
      {kind === 'task' && <TaskOptions draft={options} change={changeOptions} />}
    </FormDialog>
  )
}

function TaskOptions({ draft, change }: OptionFieldsProps) {
  return (
    <fieldset class="group stack">
      <legend>{t('runOptions.title')}</legend>
      <div class="row fields">
        <LimitFields draft={draft} change={change} />
      </div>
      <small class="hint">{t('runOptions.untilHint')}</small>
      <WakeFields draft={draft} change={change} />
    </fieldset>
  )
}

type NameFieldsProps = Pick<ListDraft, 'name' | 'description'> & {
  center: number
  change(part: Partial<ListDraft>): void
}

function NameFields({ center, name, description, change }: NameFieldsProps) {
  return (
    <>
      <div class="row fields">
        <NameField name={name} change={change} />
        <Choice
          label={t('records.center')}
          hint={centers.value.length === 0 && <span class="problem">{t('records.noCenter')}</span>}
          required
          value={center}
          options={centers.value.map(({ id, name }) => [id, name])}
          change={center => change({ center })}
        />
      </div>
      <TextField label={t('create.description')} value={description} change={description => change({ description })} />
    </>
  )
}

function targetOf(set: ComputerSet) {
  if (set.type === 'query') return { where: set.where.trim() }
  return set.type === 'list' ? { clients: set.clients } : { scope: set }
}

type Step = ProcedureStep | TaskStep

/** What the form changes. */
const recordOf = (record: ProcedureAnswer | TaskAnswer) => ({
  center: record.center,
  name: record.name,
  description: record.description,
  steps: record.steps.map((step): Step => {
    const made = stepOf(draftOf(step))
    return 'step' in made ? made.step : step
  }),
  computers: computersOf(record),
  options: optionsOf(optionsDraft(runOptionsOf(record))),
})

/** The texts are problems. */
function typedIn(kind: StepListKind, { name, description, options, ...draft }: ListDraft & { center: number }) {
  const steps: Step[] = []
  for (const each of draft.steps) {
    const made = stepOf(each)
    if ('problem' in made) return made.problem
    steps.push(made.step)
  }
  const { center, computers } = draft
  if (computers && computers.type !== 'center' && computers.type !== 'room' && isEmpty(computers))
    return t('computers.none')
  if (!isBatch(options.batch)) return t('runOptions.badBatch')
  return {
    ...{ center, name: name.trim(), description, steps },
    ...(computers && { computers }),
    ...(kind === 'task' && { options: optionsOf(options) }),
  }
}

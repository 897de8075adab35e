// The ordered steps of a procedure or a task: add, remove, and move by buttons or Alt with the arrow keys.
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ProcedureAnswer, TaskAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { labelOfName } from '../../state/commands.ts'
import { CommandOptions, CommandStepFields } from './command-step.tsx'
import { newCommandDraft, type StepDraft, targetDraft } from './step-drafts.ts'
import { isLasting, type StepListKind, type StepLists, stepWords } from './step-words.ts'

export interface StepSequenceEditorProps {
  kind: StepListKind
  /** The id of what is edited, which cannot be a step of itself. */
  ownId: number | undefined
  steps: readonly StepDraft[]
  lists: StepLists
  onChange(steps: readonly StepDraft[]): void
}

export function StepSequenceEditor({ kind, ownId, steps, lists, onChange }: StepSequenceEditorProps) {
  const list = useRef<HTMLOListElement>(null)
  /** The step that was moved: drawn anew, it would lose the focus. */
  const moved = useRef(0)
  const note = useSignal('')
  useLayoutEffect(() => {
    if (moved.current) list.current?.querySelector<HTMLElement>(`[data-step="${moved.current}"]`)?.focus()
    moved.current = 0
  })
  const move = (index: number, by: -1 | 1) => {
    const step = steps[index]
    const other = steps[index + by]
    if (!step || !other) return
    const next = steps.with(index, other).with(index + by, step)
    moved.current = step.key
    note.value = t('steps.moved', { n: index + by + 1, all: steps.length })
    onChange(next)
  }
  return (
    <fieldset class="group stack">
      <legend>{t('job.steps')}</legend>
      {steps.length === 0 && <p class="hint">{t('steps.none')}</p>}
      <ol class="list" ref={list}>
        {steps.map((step, index) => (
          <StepItem
            key={step.key}
            step={step}
            place={{ index, count: steps.length }}
            words={wordsOfDraft(step, lists)}
            move={by => move(index, by)}
            remove={() => onChange(steps.filter(each => each !== step))}
            change={next => onChange(steps.with(index, next))}
          />
        ))}
      </ol>
      <p class="hidden-text" aria-live="polite">
        {note.value}
      </p>
      <AddStep kind={kind} ownId={ownId} lists={lists} add={step => onChange([...steps, step])} />
    </fieldset>
  )
}

function wordsOfDraft(step: StepDraft, lists: StepLists): string {
  if (step.kind === 'command') return labelOfName(step.command)
  const words = stepWords(step.kind === 'task' ? { task: step.id } : { procedure: step.id }, lists)
  return `${t(`schedules.type.${step.kind}`)} · ${words}`
}

interface StepItemProps {
  step: StepDraft
  place: { index: number; count: number }
  words: string
  move(by: -1 | 1): void
  remove(): void
  change(step: StepDraft): void
}

function StepItem({ step, place: { index, count }, words, move, remove, change }: StepItemProps) {
  const key = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(event.key === 'ArrowUp' ? -1 : 1)
  }
  const n = index + 1
  return (
    <li class="group stack" onKeyDown={key}>
      <div class="row">
        <h3 tabIndex={-1} data-step={step.key}>
          <span class="badge">{n}</span> {words}
        </h3>
        <Button
          text="↑"
          class="plain icon"
          aria-label={t('steps.up', { n })}
          title={t('steps.keys')}
          disabled={index === 0}
          press={() => move(-1)}
        />
        <Button
          text="↓"
          class="plain icon"
          aria-label={t('steps.down', { n })}
          title={t('steps.keys')}
          disabled={n === count}
          press={() => move(1)}
        />
        <Button text="×" class="plain icon" aria-label={t('steps.remove', { n })} press={remove} />
      </div>
      {step.kind === 'command' && (
        <div class="stack">
          <CommandStepFields draft={step} onChange={change} />
        </div>
      )}
    </li>
  )
}

type AddStepProps = Pick<StepSequenceEditorProps, 'kind' | 'ownId' | 'lists'> & { add(step: StepDraft): void }

/** A step is added by choosing what it does. */
function AddStep({ kind, ownId, lists: { procedures, tasks }, add }: AddStepProps) {
  const choice = useSignal('')
  const submit = () => {
    const [type, value = ''] = choice.value.split(/:(.*)/)
    if (type === 'command') add(newCommandDraft(value))
    else if (type === 'task' || type === 'procedure') add(targetDraft(type, Number(value)))
    choice.value = ''
  }
  const isOffered = (each: StepListKind) => (record: ProcedureAnswer | TaskAnswer) =>
    isLasting(record) && (each !== kind || record.id !== ownId)
  return (
    <div class="row">
      <select
        aria-label={t('steps.choose')}
        value={choice.value}
        onChange={event => (choice.value = event.currentTarget.value)}
      >
        <option value="">{t('steps.choose')}</option>
        {kind === 'procedure' && <CommandOptions />}
        <RecordOptions kind="procedure" records={procedures.filter(isOffered('procedure'))} />
        {kind === 'task' && <RecordOptions kind="task" records={tasks.filter(isOffered('task'))} />}
      </select>
      <Button text={t('steps.add')} disabled={choice.value === ''} press={submit} />
    </div>
  )
}

function RecordOptions({ kind, records }: { kind: StepListKind; records: readonly { id: number; name: string }[] }) {
  if (records.length === 0) return null
  return (
    <optgroup label={t(`procedures.${kind}s`)}>
      {records.map(({ id, name }) => (
        <option value={`${kind}:${id}`} key={id}>
          {name}
        </option>
      ))}
    </optgroup>
  )
}

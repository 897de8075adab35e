// The form of a schedule: what it runs, and when, in words.
import type { Signal } from '@preact/signals'
import type { ScheduleAnswer, TargetType } from '../../../../contract/answers.ts'
import { everyEvening, isNever, type RecurrenceKind, type When } from '../../../../contract/recurrence-words.ts'
import { post, type Reply } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { useFormRecord } from '../../parts/changed-meanwhile.ts'
import { ComputerChoice, type ComputerSet, firstRoom, isEmpty, targetOf } from '../../parts/computer-choice.tsx'
import { NameField, Select, withValue } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { labelOfName } from '../../state/commands.ts'
import { useDraft } from '../../state/drafts.ts'
import { CommandOptions, CommandStepFields } from '../procedures/command-step.tsx'
import { type CommandDraft, commandStepOf, newCommandDraft, stepCommands } from '../procedures/step-drafts.ts'
import { isLasting, type StepLists } from '../procedures/step-words.ts'
import { RecurrenceFields } from './recurrence-fields.tsx'
import { targetName } from './schedule-words.ts'

const targetTypes = ['task', 'procedure', 'command'] as const satisfies TargetType[]

interface Draft {
  name: string
  type: TargetType
  /** Of the task or procedure. */
  task: number
  command: CommandDraft | undefined
  /** Undefined: the first room. */
  computers: ComputerSet | undefined
  when: When
  kind: RecurrenceKind | undefined
}

export interface ScheduleEditorProps {
  /** Undefined for a new one. */
  schedule: ScheduleAnswer | undefined
  targets: StepLists
  onClose(): void
  onSaved(): void
}

function firstDraft(schedule: ScheduleAnswer | undefined, { tasks }: StepLists): Draft {
  const first = tasks.find(isLasting)
  return {
    name: schedule?.name ?? '',
    type: schedule?.type ?? (first ? 'task' : 'command'),
    task: schedule?.task ?? first?.id ?? 0,
    command: schedule ? undefined : firstCommand(),
    computers: undefined,
    when: schedule?.when ?? everyEvening,
    kind: undefined,
  }
}

const firstCommand = () => newCommandDraft(stepCommands()[0]?.name ?? '')

export function ScheduleEditor({ schedule, targets, onClose, onSaved }: ScheduleEditorProps) {
  const form = `schedule/${schedule?.id}`
  const { draft, change } = useDraft(form, firstDraft(schedule, targets))
  const { save } = useFormRecord(form, {
    record: schedule && recordOf(schedule),
    take: ({ task, ...theirs }) => change({ ...theirs, ...task, kind: undefined }),
    wordsOf: ({ task }) => ({ task: targetName(task, targets) }),
  })
  const send = async () => {
    const problem = problemOf(draft.value)
    if (problem) return problem
    if (!schedule) return add(draft.value)
    return save(recordOf({ ...draft.value, name: name.trim() }), ({ task: target = schedule, ...changed }) =>
      update({ ...schedule, ...changed, type: target.type, task: target.task }),
    )
  }
  const { type, when, kind, name } = draft.value
  const isNewCommand = !schedule && type === 'command'
  return (
    <FormDialog
      form={form}
      title={t(schedule ? 'schedules.edit' : 'schedules.new')}
      size="wide"
      action={t('records.save')}
      send={send}
      saved={() => t('records.saved', { name })}
      onClose={onClose}
      onSaved={onSaved}
    >
      <NameField name={name} change={change} proposed={isNewCommand ? proposedName(draft.value) : undefined} />
      {schedule?.type === 'command' ? (
        <p class="field">
          <span>{t('schedules.runs')}</span> {targetName(schedule, targets)}
        </p>
      ) : (
        <TargetFields draft={draft} targets={targets} isNew={!schedule} change={change} />
      )}
      <RecurrenceFields when={when} kind={kind} onChange={(when, kind) => change({ when, kind })} />
    </FormDialog>
  )
}

interface TargetFieldsProps {
  draft: Signal<Draft>
  targets: StepLists
  isNew: boolean
  change(part: Partial<Draft>): void
}

function TargetFields({ draft, targets, isNew, change }: TargetFieldsProps) {
  const { type, task, command, computers } = draft.value
  const records = (each: TargetType) =>
    (each === 'task' ? targets.tasks : targets.procedures).filter(record => isLasting(record) || record.id === task)
  const choose = (next: TargetType) => {
    if (next === 'command') change({ type: next, command: command ?? firstCommand() })
    else change({ type: next, task: records(next)[0]?.id ?? 0 })
  }
  return (
    <fieldset class="group stack">
      <legend>{t('schedules.runs')}</legend>
      <Tabs
        label={t('schedules.runs')}
        options={targetTypes
          .filter(each => isNew || each !== 'command')
          .map(each => [each, t(`schedules.type.${each}`)])}
        value={type}
        onChange={choose}
      />
      {type !== 'command' && (
        <Select
          aria-label={t(`schedules.type.${type}`)}
          value={task}
          options={withValue(
            task,
            records(type).map(({ id, name }) => [id, name] as const),
          )}
          change={task => change({ task })}
        />
      )}
      {type === 'procedure' && <small class="hint">{t('schedules.procedureHint')}</small>}
      {type === 'command' && command && (
        <>
          <select
            aria-label={t('schedules.type.command')}
            value={`command:${command.command}`}
            onChange={event => change({ command: newCommandDraft(event.currentTarget.value.slice('command:'.length)) })}
          >
            <CommandOptions />
          </select>
          <CommandStepFields key={command.key} draft={command} onChange={next => change({ command: next })} />
          <ComputerChoice value={computers ?? firstRoom()} onChange={next => change({ computers: next })} takesQuery />
        </>
      )}
    </fieldset>
  )
}

function problemOf({ type, task, when, computers = firstRoom() }: Draft): string {
  if (isNever(when)) return t('schedules.neverFires')
  if (type !== 'command' && task === 0) return t('schedules.noTarget')
  return type === 'command' && isEmpty(computers) ? t('computers.none') : ''
}

/** Of a command without a name. */
const proposedName = ({ command }: Draft): string => labelOfName(command?.command ?? '')

type Target = Pick<ScheduleAnswer, 'type' | 'task'>

/** What the form changes; what a schedule runs is one value, as an id says nothing without its type. */
const recordOf = ({ name, when, type, task }: Pick<Draft, 'name' | 'when'> & Target) => ({
  name,
  when,
  task: { type, task },
})

/** The daemon takes all of it. */
const update = ({ id, name, when, type, task, suspended }: ScheduleAnswer) =>
  post('/schedule/update', { id: String(id), name, when, type, task: String(task), suspended })

/** The texts are problems. */
async function add(draft: Draft): Promise<Reply<unknown> | string> {
  const { type, task, when, command, computers = firstRoom() } = draft
  const name = draft.name.trim() || proposedName(draft)
  if (type !== 'command' || !command) return post('/schedule/create', { task: String(task), name, type, when })
  const step = commandStepOf(command)
  if ('problem' in step) return step.problem
  const { command: run, params } = step
  return post('/schedule/command', { ...targetOf(computers), command: run, params, when, name })
}

// The steps of a procedure or a task while they are edited: commands as the values of their forms.

import type { CommandStep, ProcedureStep, TaskStep } from '../../../../contract/answers.ts'
import {
  type FieldValue,
  type FieldValues,
  firstValue,
  kindOf,
  type Row,
  toPayload,
} from '../../actions/field-values.ts'
import type { Field } from '../../api/api-document.ts'
import { t } from '../../language/translate.ts'
import { commandOf, commands } from '../../state/commands.ts'

export interface CommandDraft {
  key: number
  kind: 'command'
  command: string
  values: FieldValues
  /** Keys of the parameters that the form does not have: they are kept. */
  others: Readonly<Record<string, unknown>>
  /** All parameters as JSON, in place of `values`, when the form cannot show them. */
  json?: string
}
export type StepDraft = CommandDraft | { key: number; kind: 'procedure' | 'task'; id: number }

let count = 0
const nextKey = () => {
  count += 1
  return count
}

export function draftOf(step: ProcedureStep | TaskStep): StepDraft {
  if ('command' in step) return commandDraft(step)
  const kind = 'task' in step ? 'task' : 'procedure'
  return { key: nextKey(), kind, id: 'task' in step ? step.task : step.procedure }
}

export const targetDraft = (kind: 'procedure' | 'task', id: number): StepDraft => ({ key: nextKey(), kind, id })

/** The commands that can be steps, in the order of their groups. */
export const stepCommands = () => commands.value.filter(({ makesJob }) => makesJob)

/** A new step, with the values that a form of the command begins with. */
export function newCommandDraft(command: string): CommandDraft {
  const fields = commandOf(command)?.fields ?? []
  const values = Object.fromEntries(fields.map(field => [field.key, firstValue(field)]))
  return { key: nextKey(), kind: 'command', command, values, others: {} }
}

export function commandDraft({ command, params }: CommandStep): CommandDraft {
  const draft = { key: nextKey(), kind: 'command' as const, command, values: {}, others: {} }
  const fields = commandOf(command)?.fields
  if (!fields) return { ...draft, json: JSON.stringify(params, null, 2) }
  const keys = new Set(fields.map(({ key }) => key))
  const [own, others] = [
    Object.fromEntries(Object.entries(params).filter(([key]) => keys.has(key))),
    Object.fromEntries(Object.entries(params).filter(([key]) => !keys.has(key))),
  ]
  const values = Object.fromEntries(fields.map(field => [field.key, toValue(field, own[field.key])]))
  const made = toPayload(fields, values)
  const isShown = 'payload' in made && sorted(made.payload) === sorted(own)
  return isShown ? { ...draft, values, others } : { ...draft, json: JSON.stringify(params, null, 2) }
}

const sorted = (value: object): string =>
  JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))

function toValue(field: Field, value: unknown): FieldValue {
  const kind = kindOf(field)
  if (kind === 'check') return value === true
  if (kind === 'rows') return Array.isArray(value) ? value.map(toRow) : []
  if (value === undefined) return ''
  if (kind === 'lines' && Array.isArray(value)) return value.join('\n')
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

const toRow = (value: unknown): Row =>
  Object.fromEntries(Object.entries(value instanceof Object ? value : {}).map(([key, each]) => [key, String(each)]))

/** The step, or why there is none yet. */
export function stepOf(draft: StepDraft): { step: ProcedureStep | TaskStep } | { problem: string } {
  if (draft.kind !== 'command') return { step: draft.kind === 'task' ? { task: draft.id } : { procedure: draft.id } }
  const made = commandStepOf(draft)
  return 'problem' in made ? made : { step: made }
}

export function commandStepOf({ command, values, others, json }: CommandDraft): CommandStep | { problem: string } {
  if (json !== undefined) {
    const params = parseObject(json)
    return params ? { command, params } : { problem: t('steps.notObject', { command }) }
  }
  const made = toPayload(commandOf(command)?.fields ?? [], values)
  return 'problem' in made ? { problem: made.problem.text } : { command, params: { ...others, ...made.payload } }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // `as`: an object of JSON.
    return value instanceof Object && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

// The form of an action of a view: the fields of its command that the action leaves open.
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { ApiDocument } from '../../../../contract/api-document.ts'
import { type FieldValues, firstValue, kindOf, toPayload } from '../../actions/field-values.ts'
import { FormFields } from '../../actions/form-fields.tsx'
import { useValues } from '../../actions/typed-values.ts'
import { type Field, fieldsOf } from '../../api/api-document.ts'
import { post } from '../../api/request.ts'
import { CommandAnswer } from '../../parts/command-answer.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useResource } from '../../state/resource.ts'
import { type Page, plainText, type Row } from './view-rows.tsx'

export type Action = Page['actions'][number]

export interface ChosenAction {
  action: Action
  /** What is sent besides the fields. */
  payload: Readonly<Record<string, unknown>>
  /** Of the row, '' without one. */
  name: string
  /** The form begins with its values of the same keys; lists have a value in each line. */
  row?: Row
}

export const pathOf = ({ route }: Action): string => route.replace('POST ', '')

interface ActionFormProps {
  chosen: ChosenAction
  onClose(): void
  onSaved(): void
}

export function ActionForm({ chosen, onClose, onSaved }: ActionFormProps) {
  const { value: api } = useResource<ApiDocument>('/openapi.json').value
  const path = pathOf(chosen.action)
  const fields = useMemo(() => (api ? fieldsOf(path, api).filter(({ key }) => !(key in chosen.payload)) : []), [api])
  const form = `${path} ${chosen.name}`
  const { draft, change } = useValues(form, fields, {})
  const answer = useSignal<unknown>(undefined)
  if (!api) return null
  const { row = {} } = chosen
  const first = (field: Field) => (field.key in row ? plainText(row[field.key]) : firstValue(field))
  const values = { ...Object.fromEntries(fields.map(field => [field.key, first(field)])), ...draft.value.values }
  const send = async () => {
    const made = toPayload(fields, values)
    if ('problem' in made) return made.problem
    const payload = { ...emptied(fields, values, row), ...chosen.payload, ...made.payload }
    const reply = await post<unknown>(path, payload)
    answer.value = reply.value
    return reply
  }
  const { title } = chosen.action
  if (answer.value !== undefined) return <CommandAnswer title={title} value={answer.value} onClose={onClose} />
  return (
    <FormDialog
      form={form}
      title={chosen.name === '' ? title : `${title}: ${chosen.name}`}
      action={title}
      size="wide"
      send={send}
      onClose={() => {
        // What the command has answered is shown: perhaps it is never answered again.
        if (answer.peek() === undefined) onClose()
      }}
      onSaved={onSaved}
    >
      <FormFields fields={fields} values={values} onChange={change} />
    </FormDialog>
  )
}

/** Lists of the row of which nothing is left: elsewhere an empty field is one that is left out. */
const emptied = (fields: readonly Field[], values: FieldValues, row: Row) =>
  Object.fromEntries(
    fields
      .filter(field => ['choices', 'lines'].includes(kindOf(field)) && values[field.key] === '' && row[field.key])
      .map(({ key }) => [key, []]),
  )

// The fields of a command's form, one for each key of its schema.
import type { TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'
import { type Field, rowSchema } from '../api/api-document.ts'
import { t } from '../language/translate.ts'
import { Select } from '../parts/fields.tsx'
import { ChoicesField } from './choices-field.tsx'
import {
  type FieldProps,
  type FieldValue,
  type FieldValues,
  kindOf,
  type Option,
  optionsOf,
  wordsFor,
  wordsOf,
} from './field-values.ts'
import { type Source, sourceOf, useListedValues } from './listed-values.ts'
import { RowsField } from './rows-field.tsx'
import { isSize, SizeInput } from './size-input.tsx'

export interface FormFieldsProps {
  /** Its name, by which the console may have words for the fields. */
  command?: string
  fields: readonly Field[]
  values: FieldValues
  onChange(key: string, value: FieldValue): void
}

export function FormFields({ command = '', fields, values, onChange }: FormFieldsProps) {
  return (
    <>
      {fields.map(field => (
        <FormField
          key={field.key}
          field={field}
          command={command}
          value={values[field.key] ?? ''}
          onChange={value => onChange(field.key, value)}
        />
      ))}
    </>
  )
}

function FormField({ field, command, value, onChange }: FieldProps & { command: string }) {
  const { key, schema, isRequired } = field
  const words = wordsFor(command, key, schema)
  const id = useId()
  const kind = kindOf(field)
  const hint = [words.hint, rangeOf(field)].filter(Boolean).join(' · ')
  if (kind === 'rows' && typeof value === 'object') {
    const columns = Object.entries(rowSchema(schema)?.properties ?? {}).map(([name, column]) => ({
      name,
      schema: column,
      ...wordsFor(command, `${key}.${name}`, column),
    }))
    return (
      <RowsField field={field} label={words.label} columns={columns} rows={value} hint={hint} onChange={onChange} />
    )
  }
  if (kind === 'choices')
    return <ChoicesField field={field} label={words.label} value={value} onChange={onChange} hint={hint} />
  if (kind === 'check') {
    return (
      <label class="check">
        <input type="checkbox" name={key} checked={value === true} onChange={e => onChange(e.currentTarget.checked)} />
        <span>
          <b>{words.label}</b> <small class="hint">{hint}</small>
        </span>
      </label>
    )
  }
  return (
    <div class="field">
      <label for={id}>
        {words.label}
        {isRequired && <RequiredMark />}
      </label>
      <Input
        field={field}
        command={command}
        value={value}
        onChange={onChange}
        id={id}
        label={words.label}
        hintId={`${id}-hint`}
      />
      <small class="hint" id={`${id}-hint`}>
        {hint}
      </small>
    </div>
  )
}

function rangeOf(field: Field): string {
  const { minimum, maximum } = field.schema
  if ((minimum === undefined && maximum === undefined) || kindOf(field) === 'choice') return ''
  return `${minimum ?? '…'} – ${maximum ?? '…'}`
}

type InputProps = FieldProps & { command: string; id: string; label: string; hintId: string }

function Input({ field, command, value, onChange, id, label, hintId }: InputProps) {
  const { key, schema, isRequired, example } = field
  const text = typeof value === 'string' ? value : ''
  const shared = {
    id,
    name: key,
    value: text,
    required: isRequired,
    'aria-describedby': hintId,
    placeholder: field.isSet ? t('packs.secretSet') : exampleText(example ?? schema.examples?.[0]),
  }
  const kind = kindOf(field)
  const source = sourceOf(command, key)
  if (source) return <ListedChoice {...shared} source={source} onChange={onChange} />
  if (kind === 'choice') return <Choice {...shared} options={optionsOf(schema)} onChange={onChange} />
  if (kind === 'script' || kind === 'lines' || kind === 'json') {
    const rows = kind === 'script' ? 8 : 4
    const onInput = (event: TargetedInputEvent<HTMLTextAreaElement>) => onChange(event.currentTarget.value)
    const isFirst = kind === 'script' || undefined
    return <textarea {...shared} rows={rows} spellcheck={false} data-first={isFirst} onInput={onInput} />
  }
  if (kind === 'secret') {
    return (
      <input
        {...shared}
        type="password"
        autocomplete="new-password"
        onInput={event => onChange(event.currentTarget.value)}
      />
    )
  }
  if (isSize(schema)) return <SizeInput {...shared} label={label} onChange={onChange} />
  const suggestions = schema.examples ?? []
  const isNumber = kind === 'number'
  return (
    <>
      <input
        {...shared}
        type={isNumber ? 'number' : 'text'}
        step={isNumber && schema.type !== 'number' ? 1 : 'any'}
        min={schema.minimum}
        max={schema.maximum}
        list={suggestions.length > 1 ? `${id}-list` : undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={event => onChange(event.currentTarget.value)}
      />
      {suggestions.length > 1 && (
        <datalist id={`${id}-list`}>
          {suggestions.map(each => (
            <option key={String(each)} value={String(each)} />
          ))}
        </datalist>
      )}
    </>
  )
}

interface ChoiceProps {
  id: string
  name: string
  value: string
  required: boolean
  onChange(value: string): void
}

function Choice({ options, onChange, ...shared }: ChoiceProps & { options: readonly Option[] }) {
  const none = ['', shared.required ? t('command.choose') : t('command.leaveOut')] as const
  return (
    <Select {...shared} options={[none, ...options.map(each => [each.value, each.label] as const)]} change={onChange} />
  )
}

/** Also what was typed elsewhere and is not listed. */
function ListedChoice({ source, ...shared }: ChoiceProps & { source: Source }) {
  const listed = useListedValues(source)
  const isOther = shared.value !== '' && !listed.some(({ value }) => value === shared.value)
  return <Choice {...shared} options={isOther ? [wordsOf(shared.value), ...listed] : listed} />
}

export const exampleText = (example: unknown): string => {
  if (example === undefined) return ''
  if (Array.isArray(example) && example.every(each => typeof each !== 'object')) return example.join('\n')
  return typeof example === 'object' ? JSON.stringify(example, null, 1) : String(example)
}

export const RequiredMark = () => (
  <abbr class="required" title={t('command.required')}>
    {' '}
    *
  </abbr>
)

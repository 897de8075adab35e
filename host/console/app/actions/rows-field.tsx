// A field that is a list of objects, such as the partitions of a disk: a table with a row per object.
import type { Field, FormSchema } from '../api/api-document.ts'
import { t } from '../language/translate.ts'
import { Button } from '../parts/button.tsx'
import { Select } from '../parts/fields.tsx'
import { type FieldWords, isCellChoice, optionsOf, type Row } from './field-values.ts'
import { isSize, SizeInput } from './size-input.tsx'

interface Column extends FieldWords {
  name: string
  schema: FormSchema
}

export interface RowsFieldProps {
  field: Field
  label: string
  columns: readonly Column[]
  rows: readonly Row[]
  hint: string
  onChange(rows: readonly Row[]): void
}

export function RowsField({ field, label, columns, rows, hint, onChange }: RowsFieldProps) {
  const { schema, isRequired, example } = field
  const required = new Set((schema.prefixItems?.[0] ?? schema.items)?.required ?? [])
  const change = (index: number, name: string, text: string) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, [name]: text } : row)))
  const placeholder = (index: number, name: string): string => {
    const shown: unknown = Array.isArray(example) ? example[Math.min(index, example.length - 1)] : undefined
    return shown instanceof Object ? String(Reflect.get(shown, name) ?? '') : ''
  }
  const least = Math.max(schema.minItems ?? 0, isRequired ? 1 : 0)
  return (
    <fieldset class="rows-field" name={field.key}>
      <legend>
        {label}
        {isRequired && ' *'} {hint && <small class="hint">{hint}</small>}
      </legend>
      <div class="table-box">
        <table>
          <ColumnNames columns={columns} required={required} />
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {columns.map(({ name, label: words, schema: column }) => (
                  <td key={name}>
                    <Cell
                      label={t('command.cell', { key: words, n: index + 1 })}
                      schema={column}
                      text={row[name] ?? ''}
                      placeholder={placeholder(index, name)}
                      isRequired={required.has(name)}
                      onChange={text => change(index, name, text)}
                    />
                  </td>
                ))}
                <td>
                  <Button
                    text="×"
                    class="plain icon"
                    aria-label={t('command.removeRow', { n: index + 1 })}
                    disabled={rows.length <= least}
                    press={() => onChange(rows.toSpliced(index, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Button text={t('command.addRow')} press={() => onChange([...rows, {}])} />
      <ColumnHints columns={columns} />
    </fieldset>
  )
}

function ColumnNames({ columns, required }: Pick<RowsFieldProps, 'columns'> & { required: ReadonlySet<string> }) {
  return (
    <thead>
      <tr>
        {columns.map(({ name, label, hint }) => (
          <th key={name} scope="col" title={hint}>
            {label}
            {required.has(name) && ' *'}
          </th>
        ))}
        <td />
      </tr>
    </thead>
  )
}

function ColumnHints({ columns }: Pick<RowsFieldProps, 'columns'>) {
  return (
    <dl class="facts">
      {columns
        .filter(({ hint }) => hint)
        .map(({ name, label, hint }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{hint}</dd>
          </div>
        ))}
    </dl>
  )
}

interface CellProps {
  label: string
  schema: FormSchema
  text: string
  placeholder: string
  isRequired: boolean
  onChange(text: string): void
}

function Cell({ label, schema, text, placeholder, isRequired, onChange }: CellProps) {
  if (isCellChoice(schema)) {
    return (
      <Select
        aria-label={label}
        value={text}
        required={isRequired}
        options={[['', ''], ...optionsOf(schema).map(({ value, label }) => [value, label] as const)]}
        change={onChange}
      />
    )
  }
  if (isSize(schema)) {
    return <SizeInput label={label} value={text} placeholder={placeholder} required={isRequired} onChange={onChange} />
  }
  return (
    <input
      aria-label={label}
      value={text}
      placeholder={placeholder}
      required={isRequired}
      autocomplete="off"
      spellcheck={false}
      onInput={event => onChange(event.currentTarget.value)}
    />
  )
}

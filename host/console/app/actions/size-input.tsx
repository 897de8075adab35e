// A size that agents take in KiB, as a number with a unit.
import { useSignal } from '@preact/signals'
import type { FormSchema } from '../api/api-document.ts'
import { t } from '../language/translate.ts'
import { Select } from '../parts/fields.tsx'

const kibibytes = { KiB: 1, MiB: 1024, GiB: 1024 ** 2, TiB: 1024 ** 3 }
type Unit = keyof typeof kibibytes
const units: readonly Unit[] = ['TiB', 'GiB', 'MiB', 'KiB']

/** Schemas say it at the beginning of the description. */
export const isSize = ({ description = '' }: FormSchema): boolean => /^KiB\b/.test(description)

/** The largest unit in which the number has at most two digits after the point. */
const unitOf = (size: number): Unit =>
  units.find(unit => size >= kibibytes[unit] && Number.isInteger((size * 100) / kibibytes[unit])) ?? 'GiB'

/** In GiB, as an example. */
const roughly = (text: string): string => (Number(text) > 0 ? (Number(text) / kibibytes.GiB).toFixed(1) : text)

export interface SizeInputProps {
  /** In KiB; '' for none. */
  value: string
  onChange(value: string): void
  /** Of the field, also where it is written beside it. */
  label: string
  name?: string
  id?: string
  required?: boolean
  /** In KiB. */
  placeholder?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean | undefined
}

export function SizeInput({ value, onChange, label, placeholder = '', ...attributes }: SizeInputProps) {
  const unit = useSignal(unitOf(Number(value)))
  const factor = kibibytes[unit.value]
  const toSize = (text: string, times: number) => (text === '' ? '' : String(Math.round(Number(text) * times)))
  const typed = useSignal('')
  // What is typed stays as it is: `1.50`, or more digits than a size has.
  const shown = toSize(typed.value, factor) === value ? typed.value : value && String(Number(value) / factor)
  return (
    <div class="joined">
      <input
        {...attributes}
        aria-label={attributes.id === undefined ? label : undefined}
        type="number"
        min={0}
        step="any"
        value={shown}
        placeholder={roughly(placeholder)}
        autocomplete="off"
        onInput={event => {
          typed.value = event.currentTarget.value
          onChange(toSize(typed.value, factor))
        }}
      />
      <Select
        aria-label={t('command.unit', { key: label })}
        value={unit.value}
        options={units.map(each => [each, each])}
        change={next => {
          typed.value = shown
          unit.value = next
          onChange(toSize(shown, kibibytes[next]))
        }}
      />
    </div>
  )
}

// One choice among things that need more than a name: a line for each, with what tells it from the others.
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { t } from '../language/translate.ts'

export interface RadioOption {
  key: string
  name: string
  note: string
}

export interface RadioListProps {
  legend: string
  options: readonly RadioOption[]
  /** The key of the one that is chosen. */
  value: string
  onChange(key: string): void
}

/** More have a field that finds them. */
const mostUnsearched = 8

export function RadioList({ legend, options, value, onChange }: RadioListProps) {
  const name = useId()
  const filter = useSignal('')
  const words = filter.value.trim().toLowerCase()
  const shown = options.filter(({ key, ...texts }) => `${texts.name} ${texts.note}`.toLowerCase().includes(words))
  return (
    <fieldset class="list">
      <legend>{legend}</legend>
      {options.length > mostUnsearched && (
        <input
          type="search"
          aria-label={t('action.find')}
          placeholder={t('action.find')}
          onInput={event => (filter.value = event.currentTarget.value)}
        />
      )}
      <div class="boxed scroll">
        {shown.map(option => (
          <label class="choice" key={option.key}>
            <input
              type="radio"
              name={name}
              required
              checked={option.key === value}
              onChange={() => onChange(option.key)}
            />
            <span>
              <b>{option.name}</b> <small class="hint">{option.note}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

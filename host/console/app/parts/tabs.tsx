// One choice among a few, side by side.
import { useId } from 'preact/hooks'

export interface TabsProps<Value> {
  /** What is chosen. */
  label: string
  /** The values and their words. */
  options: readonly (readonly [Value, string])[]
  value: Value
  onChange(value: Value): void
}

export function Tabs<Value extends string | boolean>({ label, options, value, onChange }: TabsProps<Value>) {
  const name = useId()
  return (
    <div class="row" role="radiogroup" aria-label={label}>
      {options.map(([each, word]) => (
        <label class="chip tab" key={String(each)}>
          <input type="radio" name={name} checked={each === value} onChange={() => onChange(each)} />
          {word}
        </label>
      ))}
    </div>
  )
}

// The fields of forms: a label, what is typed or chosen, and a hint. In a form with a draft they show it and change it; else they keep what is typed, until another `value` is shown in its place.
import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes } from 'preact'
import { t } from '../language/translate.ts'

export interface FieldProps {
  label: ComponentChildren
  hint?: ComponentChildren
}

export const Field = ({ label, hint, children }: FieldProps & { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
  <label class="field">
    <span>{label}</span>
    {children}
    {hint && <small class="hint">{hint}</small>}
  </label>
)

type InputAttributes = Omit<InputHTMLAttributes<HTMLInputElement>, 'label' | 'value' | 'type' | 'role'>

export interface TextFieldProps extends FieldProps, InputAttributes {
  type?: 'date' | 'number' | 'password' | 'text' | 'time'
  value?: string | number | undefined
  change?(text: string): void
}

export const TextField = ({ label, hint, value = '', type = 'text', change, ...attributes }: TextFieldProps) => (
  <Field label={label} hint={hint}>
    <input
      // `as`: the attributes of each type of input have a type of their own, and these are in all of them.
      type={type as 'text'}
      autocomplete="off"
      {...(change
        ? { value, onInput: event => change(event.currentTarget.value) }
        : { key: value, defaultValue: String(value) })}
      {...attributes}
    />
  </Field>
)

type SelectAttributes = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'label' | 'value' | 'role' | 'size' | 'multiple'>

export interface SelectProps<Value> extends SelectAttributes {
  value: Value
  /** The values and their words. */
  options: readonly (readonly [Value, string])[]
  change?(value: Value): void
}

export function Select<Value extends string | number>({ value, options, change, ...attributes }: SelectProps<Value>) {
  return (
    <select
      key={change ? '' : value}
      onChange={event => {
        const chosen = options[event.currentTarget.selectedIndex]
        if (chosen) change?.(chosen[0])
      }}
      {...(change && { value })}
      {...attributes}
    >
      {options.map(([each, words]) => (
        <option key={each} value={each} selected={each === value}>
          {words}
        </option>
      ))}
    </select>
  )
}

export const Choice = <Value extends string | number>({ label, hint, ...select }: FieldProps & SelectProps<Value>) => (
  <Field label={label} hint={hint}>
    <Select {...select} />
  </Field>
)

export interface NameFieldProps {
  name: string
  change(part: { name: string }): void
  maxLength?: number
  /** Of a record that gets one without it. */
  proposed?: string | undefined
}

/** The name of a record in forms that have a draft. */
export const NameField = ({ name, change, maxLength, proposed }: NameFieldProps) => (
  <TextField
    label={t('field.name')}
    name="name"
    required={proposed === undefined}
    maxLength={maxLength}
    value={name}
    placeholder={proposed}
    change={name => change({ name })}
  />
)

export interface CheckProps {
  label: ComponentChildren
  isOn: boolean
  change(isOn: boolean): void
  /** Of the control, where a form marks it. */
  name?: string
}

export const Check = ({ label, isOn, change, name }: CheckProps) => (
  <label class="check">
    <input type="checkbox" name={name} checked={isOn} onChange={event => change(event.currentTarget.checked)} /> {label}
  </label>
)

/** With an option for a value that is no longer offered. */
export function withValue(value: number, options: readonly (readonly [number, string])[]) {
  return options.some(([each]) => each === value) ? options : [[value, value ? `${value}` : '–'] as const, ...options]
}

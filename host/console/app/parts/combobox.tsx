// A field with a list of what can be chosen: arrows move, Enter takes, Escape closes the list.
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'

export interface Option {
  key: string
  name: ComponentChildren
  /** What tells it from others of the same name. */
  note: string
  /** What it is. */
  kind?: string
  /** Returns where the cursor is then, when it changes what is typed. */
  pick(): number | undefined
}

export interface ComboboxProps {
  id: string
  label: string
  typed: Signal<string>
  /** Those for what is typed now: a key may come before it is drawn. */
  optionsOf(): readonly Option[]
  /** The list is always open, and Enter takes its first option; else it is below the field while that has the focus. */
  isList?: boolean
  placeholder?: string
  /** Called after each key that is typed and each move of the cursor. */
  onCursor?(cursor: number): void
  /** Enter without a chosen option. */
  onSubmit?(): void
}

/** What the field and its list do. */
function useCombobox({ typed, optionsOf, isList = false, onCursor, onSubmit }: ComboboxProps) {
  const first = isList ? 0 : -1
  const current = useSignal(first)
  const isOpen = useSignal(isList)
  // In a dialog it has the space for its list from then on.
  const isUsed = useSignal(false)
  const field = useRef<HTMLInputElement>(null)
  const cursor = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (cursor.current === undefined) return
    field.current?.setSelectionRange(cursor.current, cursor.current)
    onCursor?.(cursor.current)
    cursor.current = undefined
  }, [typed.value])
  const close = () => {
    isOpen.value = isList
    current.value = first
  }
  const pick = (option: Option) => {
    const next = option.pick()
    current.value = first
    if (next === undefined) close()
    else cursor.current = next
  }
  const move = (step: number) => {
    isOpen.value = true
    const count = optionsOf().length - first
    // Without a first option the field itself is one of the stops.
    current.value = ((current.value - first + step + count) % Math.max(1, count)) + first
  }
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = isOpen.value ? optionsOf()[current.value] : undefined
    if (step) move(step)
    else if (event.key === 'Enter' && chosen) pick(chosen)
    else if (event.key === 'Enter' && onSubmit) {
      close()
      onSubmit()
    } else if (event.key === 'Escape' && !isList && isOpen.value) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const type = (text: string) => {
    typed.value = text
    current.value = first
    isOpen.value = true
  }
  return { current, isOpen, isUsed, field, close, pick, press, type }
}

export function Combobox(props: ComboboxProps) {
  const { id, label, typed, optionsOf, isList = false, placeholder, onCursor } = props
  const { current, isOpen, isUsed, field, close, pick, press, type } = useCombobox(props)
  const options = optionsOf()
  const isShown = isOpen.value && options.length > 0
  const follow = () => {
    if (field.current) onCursor?.(field.current.selectionStart ?? 0)
  }
  return (
    <div class={['combobox', !isList && 'floating', isUsed.value && 'used'].filter(Boolean).join(' ')}>
      <input
        ref={field}
        type="text"
        role="combobox"
        autofocus={isList}
        autocomplete="off"
        spellcheck={false}
        aria-label={label}
        placeholder={placeholder ?? label}
        aria-expanded={isShown}
        aria-controls={`${id}-options`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && current.value >= 0 ? `${id}-${current.value}` : undefined}
        value={typed.value}
        onInput={event => {
          type(event.currentTarget.value)
          follow()
        }}
        onKeyDown={press}
        onKeyUp={follow}
        onClick={() => {
          isOpen.value = true
          follow()
        }}
        onFocus={() => (isUsed.value = true)}
        onBlur={close}
      />
      <OptionList
        id={id}
        label={t('palette.results')}
        options={isShown ? options : []}
        current={current.value}
        pick={pick}
      />
      <p class="hidden-text" role="status">
        {isShown && t('palette.found', { n: options.length })}
      </p>
    </div>
  )
}

interface OptionListProps extends Pick<ComboboxProps, 'id' | 'label'> {
  options: readonly Option[]
  current: number
  pick(option: Option): void
}

function OptionList({ id, label, options, current, pick }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div ref={list} id={`${id}-options`} role="listbox" aria-label={label} hidden={options.length === 0}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and takes the keys.
        <div
          key={option.key}
          id={`${id}-${index}`}
          class="choice palette-result"
          role="option"
          aria-selected={index === current}
          // The field keeps the focus.
          onMouseDown={event => event.preventDefault()}
          onClick={() => pick(option)}
        >
          <span class="palette-name">{option.name}</span>
          <small class="hint">{option.note}</small>
          {option.kind && <small class="hint">{option.kind}</small>}
        </div>
      ))}
    </div>
  )
}

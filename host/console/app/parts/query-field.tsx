// A field for a query: offers fields and values while it is typed.
import type { Signal } from '@preact/signals'
import { t } from '../language/translate.ts'
import { useTypedText } from '../state/drafts.ts'
import { useSuggestions } from '../state/suggestions.ts'
import { Combobox, type Option } from './combobox.tsx'

export interface QueryFieldProps {
  id: string
  label: string
  typed: Signal<string>
  onSubmit?(): void
  /** What is offered before the words of queries. */
  more?(): readonly Option[]
}

export function QueryField({ id, label, typed, onSubmit, more = () => [] }: QueryFieldProps) {
  const suggestions = useSuggestions(typed)
  const ofQuery = (): Option[] =>
    suggestions.list().map(({ word, about, text, cursor }) => ({
      key: word,
      name: <code>{word}</code>,
      note: about,
      pick() {
        typed.value = text
        return cursor
      },
    }))
  return (
    <Combobox
      id={id}
      label={label}
      typed={typed}
      optionsOf={() => [...more(), ...ofQuery()]}
      onCursor={suggestions.follow}
      {...(onSubmit && { onSubmit })}
    />
  )
}

/** Of the draft of a form. */
export function QueryChoice({ where, change }: { where: string; change(part: { where: string }): void }) {
  return <QueryField id="query" label={t('groups.query')} typed={useTypedText(where, where => change({ where }))} />
}

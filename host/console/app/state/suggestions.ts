// What can be written at the cursor of a query: the fields, and the values that there are.
import { type ReadonlySignal, type Signal, signal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import type { SearchFieldsAnswer, SearchValuesAnswer } from '../../../contract/answers.ts'
import { placeAt, type Suggestion, suggest } from '../../../contract/complete-query.ts'
import { get } from '../api/request.ts'

const fields = signal<SearchFieldsAnswer['fields']>([])

async function readFields(): Promise<void> {
  const reply = await get<SearchFieldsAnswer>('/search/fields')
  if (reply.value) fields.value = reply.value.fields
}

/** Milliseconds after the last key until values are asked for. */
export const typingTime = 120

/** What is typed of a value. */
interface Typed {
  field?: string
  typed: string
}

/** Values that have what is typed, asked for after a pause. Until the new ones are there: those of the old ones that fit. */
export function useFieldValues(place: ReadonlySignal<Typed | undefined>): () => readonly string[] {
  const values = useSignal<{ field: string; list: readonly string[] }>({ field: '', list: [] })
  useSignalEffect(() => {
    const { field, typed = '' } = place.value ?? {}
    if (field === undefined) return undefined
    const timer = setTimeout(async () => {
      const reply = await get<SearchValuesAnswer>(`/search/values?${new URLSearchParams({ field, prefix: typed })}`)
      const { field: current, typed: currentText } = place.peek() ?? {}
      if (reply.value && current === field && currentText === typed) values.value = { field, list: reply.value.values }
    }, typingTime)
    return () => clearTimeout(timer)
  })
  return () => {
    const { field, list } = values.value
    const typed = place.value?.typed.toLowerCase() ?? ''
    return field === place.value?.field ? list.filter(value => value.toLowerCase().includes(typed)) : []
  }
}

export interface Suggestions {
  /** Where the cursor is; to be called before there are suggestions. */
  follow(cursor: number): void
  list(): Suggestion[]
}

export function useSuggestions(text: Signal<string>): Suggestions {
  const cursor = useSignal<number | undefined>(undefined)
  const place = useComputed(() => {
    const at = cursor.value
    return at === undefined ? undefined : placeAt(text.value, Math.min(at, text.value.length))
  })
  const known = useComputed(() => {
    const field = place.value?.field
    return fields.value.some(({ name }) => name === field) ? place.value : undefined
  })
  const valuesOf = useFieldValues(known)
  return {
    follow(at) {
      if (cursor.peek() === undefined && fields.peek().length === 0) void readFields()
      cursor.value = at
    },
    list: () => (place.value ? suggest(text.value, place.value, { fields: fields.value, values: valuesOf() }) : []),
  }
}

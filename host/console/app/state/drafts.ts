// What was typed in forms: it is there again when the form or the page is opened again, until it is saved or given up.
import { signal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

interface Kept {
  /** Of a form that has its values itself. */
  draft?: object
  /** Of a form that leaves them to its named controls. */
  fields?: Readonly<Record<string, string | boolean>>
  /** What is edited, as it was when the form was opened. */
  record?: object | undefined
}

const storageKey = 'fleet-forms'
const drafts: Map<string, Kept> = new Map(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'))
addEventListener('pagehide', () => sessionStorage.setItem(storageKey, JSON.stringify([...drafts])))

/** What forms edit, by their names. */
export const edited: Map<string, { readonly current: object | undefined }> = new Map()

export const forgetDrafts = () => drafts.clear()
export const forgetDraft = (form: string) => drafts.delete(form)
export const keptOf = (form: string): Kept | undefined => drafts.get(form)

export const keep = (form: string, part: Kept) =>
  drafts.set(form, { ...drafts.get(form), ...part, record: edited.get(form)?.current })

/** The last form of which what was kept was given up while it was open. */
const discarded = signal({ form: '' })

export function discardDraft(form: string): void {
  drafts.delete(form)
  discarded.value = { form }
}

/** `reset`: the form shows what it would show if nothing had been kept. */
export function useDiscarded(form: string, reset: () => void): void {
  const last = useRef(discarded.peek())
  useSignalEffect(() => {
    const isNew = discarded.value !== last.current
    last.current = discarded.value
    if (isNew && discarded.value.form === form) reset()
  })
}

/** `keptPart`: without what is not to be kept, such as passwords. */
export function useDraft<Draft extends object>(
  form: string,
  first: Draft,
  keptPart: (draft: Draft) => object = draft => draft,
) {
  const draft = useSignal<Draft>({ ...first, ...keptOf(form)?.draft })
  useDiscarded(form, () => {
    draft.value = first
  })
  const change = (part: Partial<Draft>) => {
    draft.value = { ...draft.value, ...part }
    keep(form, { draft: keptPart(draft.value) })
  }
  return { draft, change }
}

/** A text of a draft as the signal that a field with a list has. */
export function useTypedText(text: string, change: (text: string) => void) {
  const typed = useSignal(text)
  useEffect(() => {
    typed.value = text
  }, [text])
  useSignalEffect(() => {
    if (typed.value !== text) change(typed.value)
  })
  return typed
}

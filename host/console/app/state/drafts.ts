// What was typed in forms: it is there again when the form or the page is opened again, until it has been saved.
import { useSignal } from '@preact/signals'

const storageKey = 'fleet-forms'
const drafts: Map<string, object> = new Map(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'))
addEventListener('pagehide', () => sessionStorage.setItem(storageKey, JSON.stringify([...drafts])))

export const forgetDrafts = () => drafts.clear()

/** `record`: what the form edits. When others have changed it meanwhile, what was typed is not shown again. */
export function useDraft<Draft extends object>(form: string, first: Draft, record?: object) {
  const key = record ? form + JSON.stringify(record) : form
  const draft = useSignal<Draft>({ ...first, ...drafts.get(key) })
  const change = (part: Partial<Draft>) => {
    draft.value = { ...draft.value, ...part }
    drafts.set(key, draft.value)
  }
  const forget = () => drafts.delete(key)
  /** A form of a new record keeps what was typed, also when it is closed. */
  const leave = () => record && forget()
  return { draft, change, forget, leave }
}

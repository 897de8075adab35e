// What was typed in the forms of new records: it is there again when the form is opened again, until it has been saved.
import { useSignal } from '@preact/signals'
import { keepOverReload } from './reload.ts'

const drafts: Map<string, object> = new Map(keepOverReload('forms', () => [...drafts]))

/** `form` names the form; undefined of a record that exists, which others may change meanwhile. */
export function useDraft<Draft extends object>(form: string | undefined, first: Draft) {
  const draft = useSignal<Draft>({ ...first, ...(form !== undefined && drafts.get(form)) })
  const change = (part: Partial<Draft>) => {
    draft.value = { ...draft.value, ...part }
    if (form !== undefined) drafts.set(form, draft.value)
  }
  const forget = () => form !== undefined && drafts.delete(form)
  return { draft, change, forget }
}

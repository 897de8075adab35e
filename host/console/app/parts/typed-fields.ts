// What was typed in the named controls of a form: kept, except passwords, and filled in when the form is opened again.
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { keep, keptOf } from '../state/drafts.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** More than one where one of them has to be chosen. */
export const fieldsOf = (form: Element, name: string) => form.querySelectorAll<HTMLElement>(`[name="${name}"]`)

const isCheck = (control: Control): control is HTMLInputElement => control.type === 'checkbox'
const keyOf = (control: Control) => (isCheck(control) ? `${control.name}=${control.value}` : control.name)
const typedIn = (control: Control) => (isCheck(control) ? control.checked : control.value)
const kept = ':is(input, select, textarea)[name]:not([autocomplete$="password"])'
const controlsOf = (form: Element | null) => [...(form?.querySelectorAll<Control>(kept) ?? [])]

/** Returns what keeps the values. Forms that have a draft keep that. `opened`: how often what was kept was given up. */
export function useTypedFields(
  key: string,
  form: RefObject<HTMLFormElement | null>,
  opened: number,
): (changed: Element) => void {
  useLayoutEffect(() => {
    const { current } = form
    const missing = { ...keptOf(key)?.fields }
    // Controls, and what selects offer, may come after the form.
    const fill = () => {
      for (const control of controlsOf(current)) fillIn(control, missing)
    }
    fill()
    if (!current || Object.keys(missing).length === 0) return
    const observer = new MutationObserver(fill)
    observer.observe(current, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [opened])
  return changed => {
    const { draft, fields } = keptOf(key) ?? {}
    if (draft || !changed.matches(kept)) return
    const typed = Object.fromEntries(controlsOf(form.current).map(control => [keyOf(control), typedIn(control)]))
    keep(key, { fields: { ...fields, ...typed } })
  }
}

function fillIn(control: Control, missing: Record<string, string | boolean>): void {
  const value = missing[keyOf(control)]
  if (value === undefined) return
  if (isCheck(control)) control.checked = value === true
  else control.value = String(value)
  if (typedIn(control) !== value) return
  delete missing[keyOf(control)]
  // For those that are drawn with their value.
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

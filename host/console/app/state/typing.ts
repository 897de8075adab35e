// Whether a key is meant for what has the focus: keys of the page do nothing then.

/** A dialog is open. */
export const isAsking = (): boolean => document.querySelector('dialog[open]') !== null

/** Also true while a dialog is open. */
export function isTyping(target: EventTarget | null): boolean {
  if (isAsking()) return true
  return target instanceof Element && target.closest(fields) !== null
}

const fields = 'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable]'

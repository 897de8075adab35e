// Asks once before something that deletes, ends or overwrites.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { Dialog } from './dialog.tsx'

interface Question {
  title: string
  text: ComponentChildren
  /** The word on the button that does it. */
  action: string
  answer(isYes: boolean): void
}

const question = signal<Question | undefined>(undefined)

/** Resolves to whether the user wants it. */
export function confirmed(title: string, text: ComponentChildren, action: string): Promise<boolean> {
  return new Promise(resolve => {
    question.value = { title, text, action, answer: resolve }
  })
}

function answer(isYes: boolean): void {
  question.peek()?.answer(isYes)
  question.value = undefined
}

export function Confirmation() {
  const asked = question.value
  // A question that the end of the session has closed is answered with no.
  useEffect(() => () => answer(false), [])
  if (!asked) return null
  return (
    <Dialog title={asked.title} onClose={() => answer(false)}>
      <p>{asked.text}</p>
      <footer>
        <button type="button" onClick={() => answer(false)}>
          {t('action.cancel')}
        </button>
        <button type="button" class="danger" onClick={() => answer(true)}>
          {asked.action}
        </button>
      </footer>
    </Dialog>
  )
}

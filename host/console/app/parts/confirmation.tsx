// Asks once before something that deletes, ends or overwrites.
import { signal } from '@preact/signals'
import { t } from '../language/translate.ts'
import { Dialog } from './dialog.tsx'

interface Question {
  title: string
  text: string
  /** The word on the button that does it. */
  action: string
  answer(isYes: boolean): void
}

const question = signal<Question | undefined>(undefined)

/** Resolves to whether the user wants it. */
export function confirmed(title: string, text: string, action: string): Promise<boolean> {
  return new Promise(resolve => {
    question.value = { title, text, action, answer: resolve }
  })
}

export function Confirmation() {
  const asked = question.value
  if (!asked) return null
  const close = (isYes: boolean) => {
    asked.answer(isYes)
    question.value = undefined
  }
  return (
    <Dialog title={asked.title} onClose={() => close(false)}>
      <p>{asked.text}</p>
      <footer>
        <button type="button" onClick={() => close(false)}>
          {t('action.cancel')}
        </button>
        <button type="button" class="danger" onClick={() => close(true)}>
          {asked.action}
        </button>
      </footer>
    </Dialog>
  )
}

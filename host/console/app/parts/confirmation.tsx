// Asks before something that deletes, ends or overwrites: the focus is on the answer no.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { me } from '../state/session.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { InUse, isInUse } from './in-use.tsx'

export interface Question {
  title: string
  text: ComponentChildren
  /** The word on the button that does it. */
  action: string
  /** The computers that it is for; the question says who is logged in. */
  clients?: readonly string[]
  /** It can also be done to those of the computers on which nobody is logged in. */
  isDivisible?: boolean
}

interface OpenQuestion extends Question {
  answer(clients: readonly string[] | undefined): void
}

const question = signal<OpenQuestion | undefined>(undefined)

/** Resolves to the computers for which the user wants it; undefined for none. */
export function ask(asked: Question): Promise<readonly string[] | undefined> {
  return new Promise(resolve => (question.value = { ...asked, answer: resolve }))
}

/** Resolves to whether the user wants it. */
export const confirmed = async (title: string, text: ComponentChildren, action: string, clients?: readonly string[]) =>
  (await ask({ title, text, action, ...(clients && { clients }) })) !== undefined

function answer(clients?: readonly string[]): void {
  question.peek()?.answer(clients)
  question.value = undefined
}

export function Confirmation() {
  const asked = question.value
  // When the session ends the answer is no.
  const hasEnded = me.value === null
  useEffect(() => {
    if (hasEnded) answer()
  }, [hasEnded])
  if (!asked) return null
  const { title, text, clients = [] } = asked
  return (
    <Dialog title={title} onClose={() => answer()}>
      <p>{text}</p>
      <InUse clients={clients} />
      <Answers question={asked} answer={answer} />
    </Dialog>
  )
}

export interface AnswersProps {
  question: Omit<Question, 'title' | 'text'>
  /** Called with no computers for no. */
  answer(clients?: readonly string[]): void
}

export function Answers({ question, answer }: AnswersProps) {
  const { action, clients = [], isDivisible = false } = question
  const free = isDivisible ? clients.filter(ip => !isInUse(ip)) : []
  const yes = (kind: string, words: ComponentChildren, chosen: readonly string[]) => (
    <Button text={words} class={kind} data-yes={kind === 'danger' || undefined} press={() => answer(chosen)} />
  )
  const isDivided = free.length > 0 && free.length < clients.length
  return (
    <footer>
      <Button text={t('action.cancel')} data-first press={() => answer()} />
      {isDivided && yes('destructive', t('confirm.all', { action, n: clients.length }), clients)}
      {isDivided ? yes('danger', t('confirm.free', { n: free.length }), free) : yes('danger', action, clients)}
    </footer>
  )
}

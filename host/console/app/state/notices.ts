// Short messages at the edge of the page: what was refused, what was done.
import { effect, signal } from '@preact/signals'
import { type Reply, responses } from '../api/request.ts'
import { type MessageKey, t, tryTranslate, type Values } from '../language/translate.ts'
import { connection } from './event-stream.ts'
import { route } from './route.ts'

export interface Notice {
  id: number
  kind: 'good' | 'bad' | 'info'
  text: string
  /** The address of the page that it is about. */
  page: string
  /** With this id what the notice says can be taken back. */
  undo?: number | undefined
  undoWord?: MessageKey | undefined
  /** What was typed in this form is kept. */
  form?: string | undefined
}

export const notices = signal<readonly Notice[]>([])

/** Milliseconds that a notice stays; a refusal and what can be taken back stay longer, as they have to be read. */
const shownTime = { good: 5_000, info: 6_000, bad: 15_000, undo: 20_000 }

/** Of the page that is shown, or is being loaded. */
const pageNow = () => location.hash.split('?')[0] || '#/'

let count = 0

export function notify(
  kind: Notice['kind'],
  text: string,
  offer: Pick<Notice, 'undo' | 'undoWord' | 'form'> = {},
): void {
  count += 1
  const id = count
  const { undo, form } = offer
  // The same again, such as what failed twice, is said once.
  const others = notices.value.filter(notice => notice.text !== text || notice.undo !== undo)
  notices.value = [...others.slice(-4), { id, kind, text, page: pageNow(), ...offer }]
  setTimeout(() => dismiss(id), shownTime[undo === undefined && form === undefined ? kind : 'undo'])
}

function remove(isMeant: (notice: Notice) => boolean): void {
  if (notices.peek().some(isMeant)) notices.value = notices.peek().filter(notice => !isMeant(notice))
}

/** Removes one by its id; that of a change that was taken back, or of a form of which what was typed is seen again. */
export const dismiss = (value: number | string, key: 'id' | 'undo' | 'form' = 'id'): void =>
  remove(notice => notice[key] === value)

// What was done on a page is of no interest on another one, but can be taken back there. A form says itself what was kept.
effect(() => {
  void route.value
  const isOfPage = ({ kind, undo, form }: Notice) => form !== undefined || (kind === 'good' && undo === undefined)
  remove(notice => isOfPage(notice) && notice.page !== pageNow())
})

// The daemon is there again.
effect(() => {
  if (connection.value !== 'live' || responses.value === 0) return
  const lost = [t('notice.unreachable'), t('notice.unsent')]
  remove(({ text }) => lost.includes(text))
})

/** In the user's language, if it has words for this code. */
export function causeWords(cause: Values): string | undefined {
  const words = tryTranslate(`reason.${cause.code}`, cause)
  const n = Number(cause.more)
  return words && n > 0 ? `${words}; ${t('inUse.more', { n })}` : words
}

export function refusal({ status, unanswered, reason, cause }: Reply<unknown>): string {
  if (unanswered) return t(`notice.${unanswered}`)
  if (status === 401) return t('notice.ended')
  return status === 0 ? t('notice.unreachable') : t('notice.refused', { reason: causeWords(cause) ?? reason })
}

/** Says why a request was refused, or `done` when it was not, with its warning. Returns whether it was accepted. */
export function report(reply: Reply<unknown>, done = '', undoWord?: MessageKey): boolean {
  // With 401 the session has ended: the login says so.
  const { undo, warning } = reply
  if (!reply.ok) reply.status !== 401 && notify('bad', refusal(reply))
  else if (warning) notify('info', [done, warning].filter(Boolean).join(' · '), { undo, undoWord })
  else if (done) notify('good', done, { undo, undoWord })
  return reply.ok
}

// Takes changes back, and says which.
import type { AnswerOf } from '../../../contract/answers.ts'
import { post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { later } from '../pages/page-scripts.ts'
import { loadFailures } from './failures.ts'
import { report } from './notices.ts'

/** Takes back what was deleted, changed or imported: computers come back with their failures. */
export async function undo(change: number): Promise<boolean> {
  const reply = await post<AnswerOf<'POST /undo'>>('/undo', { id: change })
  await later.load()
  const { undone } = reply.value ?? {}
  const what = (undone && later.module.value?.undoneWords(undone)) ?? ''
  const isAgain = (undone?.counts.undone ?? 0) % 2 === 1
  const isDone = report(reply, t(isAgain ? 'undo.again' : 'undo.done', { what }), isAgain ? 'undo.action' : 'undo.redo')
  if (isDone) void loadFailures()
  return isDone
}

// Takes changes back, and says which.
import type { AnswerOf, UndoAnswer } from '../../../contract/answers.ts'
import { get, post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { later } from '../pages/page-scripts.ts'
import { confirmed } from '../parts/confirmation.tsx'
import { loadFailures } from './failures.ts'
import { report } from './notices.ts'

const conflict = 409

/**
 * Takes back what was deleted, changed or imported: computers come back with their failures. Asks before it replaces what
 * was set later.
 */
export async function undo(change: number): Promise<boolean> {
  let reply = await post<AnswerOf<'POST /undo'>>('/undo', { id: change })
  await later.load()
  const words = later.module.value
  if (reply.status === conflict) {
    const [edit] = (await get<UndoAnswer>(`/undo?id=${change}`)).value?.changes ?? []
    const question = edit && words?.overwriteWords(edit)
    if (!(await confirmed(t('undo.overwriteTitle'), question ?? reply.reason, t('undo.overwrite')))) return false
    reply = await post('/undo', { id: change, overwrite: true })
  }
  const { undone } = reply.value ?? {}
  const what = (undone && words?.undoneWords(undone)) ?? ''
  const isAgain = (undone?.counts.undone ?? 0) % 2 === 1
  const isDone = report(reply, t(isAgain ? 'undo.again' : 'undo.done', { what }), isAgain ? 'undo.action' : 'undo.redo')
  if (isDone) void loadFailures()
  return isDone
}

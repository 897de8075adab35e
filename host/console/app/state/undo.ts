// Takes changes back, and says which.
import type { AnswerOf, UndoAnswer } from '../../../contract/answers.ts'
import { get, post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { later } from '../pages/page-scripts.ts'
import { confirmed } from '../parts/confirmation.tsx'
import { loadFailures } from './failures.ts'
import { report } from './notices.ts'

/**
 * Takes back what was deleted, changed or imported: computers come back with their failures. Asks before it deletes what
 * was imported, and before it replaces what was set later.
 */
export async function undo(change: number): Promise<boolean> {
  await later.load()
  const words = later.module.value
  const read = await get<UndoAnswer>(`/undo?id=${change}`)
  if (!words || !report(read)) return false
  const [found] = read.value?.changes ?? []
  const question = found && words.undoQuestion(found)
  if (question && !(await confirmed(...question))) return false
  const reply = await post<AnswerOf<'POST /undo'>>('/undo', { id: change, ...(found?.later && { overwrite: true }) })
  const { undone } = reply.value ?? {}
  const what = (undone && words.undoneWords(undone)) ?? ''
  const isAgain = (undone?.counts.undone ?? 0) % 2 === 1
  const isDone = report(reply, t(isAgain ? 'undo.again' : 'undo.done', { what }), isAgain ? 'undo.action' : 'undo.redo')
  if (isDone) void loadFailures()
  return isDone
}

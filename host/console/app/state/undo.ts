// Takes changes back, and says which.
import type { AnswerOf, UndoAnswer } from '../../../contract/answers.ts'
import { get, post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { later } from '../pages/page-scripts.ts'
import { confirmed } from '../parts/confirmation.tsx'
import { loadFailures } from './failures.ts'
import { report } from './notices.ts'

type Reply = Awaited<ReturnType<typeof post<AnswerOf<'POST /undo'>>>>

const conflict = 409

/**
 * Takes back what was deleted, changed or imported: computers come back with their failures. Asks before it deletes what
 * was imported, and before it replaces what was set later.
 */
export async function undo(change: number): Promise<boolean> {
  await later.load()
  let reply = await askAndPost(change)
  // Somebody has changed it since the question.
  if (reply?.status === conflict) reply = await askAndPost(change)
  if (!reply) return false
  const { undone } = reply.value ?? {}
  const what = (undone && later.module.value?.undoneWords(undone)) ?? ''
  const isAgain = (undone?.counts.undone ?? 0) % 2 === 1
  const isDone = report(reply, t(isAgain ? 'undo.again' : 'undo.done', { what }), isAgain ? 'undo.action' : 'undo.redo')
  if (isDone) void loadFailures()
  return isDone
}

/** Undefined: the user does not want it. */
async function askAndPost(id: number): Promise<Reply | undefined> {
  const [change] = (await get<UndoAnswer>(`/undo?id=${id}`)).value?.changes ?? []
  const question = change && later.module.value?.undoQuestion(change)
  if (question && !(await confirmed(...question))) return undefined
  return post('/undo', { id, ...(change?.later && { overwrite: true }) })
}

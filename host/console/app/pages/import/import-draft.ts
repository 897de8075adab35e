// What is chosen for an import, and the request that it makes.
import type { ImportAnswer } from '../../../../contract/answers.ts'
import { postAgain } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { refusal } from '../../state/notices.ts'
import { type ImportFormat, recogniseFormat } from './recognise-format.ts'

export interface ImportDraft {
  text: string
  fileName: string
  /** Undefined: as it is recognised. */
  format: ImportFormat | undefined
  /** 0: none. */
  room: number
  isUpdate: boolean
}

export const emptyDraft: ImportDraft = { text: '', fileName: '', format: undefined, room: 0, isUpdate: false }

const formatOf = ({ format, text, fileName }: ImportDraft) => format ?? recogniseFormat(text, fileName)

export function payloadOf(draft: ImportDraft): object {
  const { text, room, isUpdate } = draft
  return { format: formatOf(draft) ?? 'csv', text, ...(room && { room }), ...(isUpdate && { update: true }) }
}

/** The texts are problems. Only a run with `update` lists its rows: one that changes nothing shows those that are added. */
export async function readPreview(draft: ImportDraft): Promise<ImportAnswer | string> {
  const payload = { ...payloadOf(draft), dry_run: true }
  const reply = await postAgain<ImportAnswer>('/client/import', payload)
  if (reply.status === 413) return t('import.tooLong')
  if (!reply.value) return refusal(reply)
  if (draft.isUpdate || reply.value.conflicts.length > 0) return reply.value
  const { value } = await postAgain<ImportAnswer>('/client/import', { ...payload, update: true })
  const rows = value?.rows?.filter(({ action }) => action === 'add') ?? []
  return { ...reply.value, rows, omitted: Math.max(0, reply.value.added - rows.length) }
}

// What lists of records have in common: buttons that name their record to screen readers, and deleting one.
import { post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { report } from '../state/notices.ts'
import { confirmed } from './confirmation.tsx'

export interface RecordButtonProps {
  label: string
  /** Of the record. */
  name: string
  onClick(): unknown
}

export function RecordButton({ label, name, onClick }: RecordButtonProps) {
  return (
    <button type="button" onClick={() => void onClick()}>
      {label} <span class="hidden-text">{name}</span>
    </button>
  )
}

export interface Deletion {
  /** The question. */
  title: string
  text: string
  path: string
  /** Of the id in the payload. */
  key?: string
  id: number
  name: string
}

/** Asks once, and says what the daemon has answered. */
export async function deleteRecord({ title, text, path, key = 'id', id, name }: Deletion): Promise<void> {
  if (!(await confirmed(title, text, t('records.delete')))) return
  report(await post(path, { [key]: String(id) }), t('records.deleted', { name }))
}

// The result of the check of an image's file.
import type { FileCheck } from '../../../../contract/answers.ts'
import { formatTime, type MessageKey, t } from '../../language/translate.ts'

const words: Record<FileCheck['state'], MessageKey> = {
  'not checked': 'images.notChecked',
  queued: 'images.checkQueued',
  running: 'images.checkRunning',
  ok: 'images.checkOk',
  damaged: 'images.checkDamaged',
  'no checksum': 'images.checkNoSum',
  unreadable: 'images.checkUnreadable',
}

export const checkWords = ({ state, percent = 0 }: FileCheck): string => t(words[state], { percent })

const badges: Partial<Record<FileCheck['state'], string>> = {
  ok: 'badge good',
  damaged: 'badge bad',
  'no checksum': 'badge warn',
  unreadable: 'badge bad',
}

export function CheckState({ check }: { check: FileCheck }) {
  return (
    <span class={badges[check.state] ?? 'hint'} title={check.at && formatTime(check.at)}>
      {checkWords(check)}
    </span>
  )
}

// The result of the check of an image's file, with a button that checks it.
import type { FileCheck } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { formatTime, type MessageKey, t } from '../../language/translate.ts'
import { report } from '../../state/notices.ts'
import { may } from '../../state/session.ts'

const words: Record<FileCheck['state'], MessageKey> = {
  'not checked': 'images.notChecked',
  queued: 'images.checkQueued',
  running: 'images.checkRunning',
  ok: 'images.checkOk',
  damaged: 'images.checkDamaged',
  'no checksum': 'images.checkNoSum',
  unreadable: 'images.checkUnreadable',
}

interface Props {
  check: FileCheck
  /** The id of the image, and its number for an older file. */
  image: number
  version?: number
  /** For people: the name of the file. */
  name: string
  onSent(): void
}

export function FileCheckCell({ check: { state, at, percent = 0 }, image, version, name, onSent }: Props) {
  const send = async () => {
    const payload = { image: String(image), ...(version !== undefined && { version: String(version) }) }
    const reply = await post('/image/check', payload)
    report(reply, t('images.checkSent', { name }))
    onSent()
  }
  const isWaiting = state === 'queued' || state === 'running'
  return (
    <td class="image-check" data-check={state}>
      <span>{t(words[state], { percent })}</span>
      {at && <small class="hint">{formatTime(at)}</small>}
      {may('operate') && !isWaiting && (
        <button type="button" class="quiet" aria-label={t('images.checkName', { name })} onClick={() => void send()}>
          {t('images.check')}
        </button>
      )}
    </td>
  )
}

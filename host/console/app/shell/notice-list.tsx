// Shows the notices in a corner; screen readers read each when it appears.
import { t } from '../language/translate.ts'
import { dismiss, notices } from '../state/notices.ts'

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text }) => (
        <div class={`notice ${kind}`} key={id}>
          <span>{text}</span>
          <button type="button" class="plain icon" aria-label={t('action.close')} onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}

// Shows the notices in a corner; screen readers read each when it appears.
import { t } from '../language/translate.ts'
import { dismiss, notices, undo } from '../state/notices.ts'

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text, undo: change }) => (
        <div class={`notice ${kind}`} key={id}>
          <span>{text}</span>
          {change !== undefined && (
            <button
              type="button"
              onClick={() => {
                dismiss(id)
                void undo(change)
              }}
            >
              {t('undo.action')}
            </button>
          )}
          <button type="button" class="plain icon" aria-label={t('action.close')} onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}

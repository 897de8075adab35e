// Shows the notices in a corner; screen readers read each when it appears.
import { t } from '../language/translate.ts'
import { Button } from '../parts/button.tsx'
import { forgetDraft } from '../state/drafts.ts'
import { dismiss, notices } from '../state/notices.ts'
import { goTo } from '../state/route.ts'
import { may } from '../state/session.ts'
import { undo } from '../state/undo.ts'

export function Notices() {
  return (
    <div class="notices list" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text, undo: change, undoWord = 'undo.action', form }) => (
        <div class={`card head marked notice ${kind}`} key={id}>
          <span>{text}</span>
          {change !== undefined && (
            <Button
              text={t(undoWord)}
              class="notice-undo"
              press={() => {
                dismiss(id)
                void undo(change)
              }}
            />
          )}
          {form !== undefined && (
            <Button
              text={t('action.discard')}
              press={() => {
                dismiss(id)
                forgetDraft(form)
              }}
            />
          )}
          <Button text="×" class="plain icon" aria-label={t('action.close')} press={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}

/** Goes to the last offer to take something back, else to the page that has all. Enter takes it back, no other key does. */
export function focusUndo(): void {
  const offers = document.querySelectorAll<HTMLElement>('.notice-undo')
  const last = offers[offers.length - 1]
  if (last) last.focus()
  else if (may('admin')) goTo('undo')
}

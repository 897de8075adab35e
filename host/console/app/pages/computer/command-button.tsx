// A button for a command that only a connected computer without a running command takes.
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { type Condition, computers } from '../../state/lab.ts'
import { may } from '../../state/session.ts'
import { sendTo } from './send-command.ts'

export interface CommandButtonProps {
  ip: string
  label: string
  path: string
  more?: object
  /** What is said to a screen reader; default: the label. */
  title?: string
  kind?: 'primary'
}

/** An installed system answers few commands: the others need the live system. */
const reasonFor = (condition: Condition): string | undefined => {
  if (condition === 'off' || condition === 'waking') return t('computer.needsConnection')
  if (condition === 'busy') return t('computer.isBusy')
  return condition === 'ready' ? undefined : t('computer.needsLive')
}

export function CommandButton({ ip, label, path, more, title, kind }: CommandButtonProps) {
  const condition = computers.value.get(ip)?.live.value.condition ?? 'off'
  if (!may('operate')) return null
  const reason = reasonFor(condition)
  return (
    <Button
      text={label}
      class={kind}
      disabled={reason !== undefined}
      title={reason}
      aria-label={title}
      press={() => sendTo(ip, path, more)}
    />
  )
}

/** Says that there is no inventory yet; to those who may take it also how. */
export const NotTaken = () => (
  <p class="hint">
    {t('computer.noInventory')} {may('operate') && t('computer.inventoryHint')}
  </p>
)

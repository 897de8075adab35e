// What can be done with the selected computers, always at the same place: at the bottom of the page.

import type { CommandInfo } from '../api/api-document.ts'
import { t } from '../language/translate.ts'
import { chooseCommand, commands, commandsProblem, labelOf, labelOfName } from '../state/commands.ts'
import { markSeen } from '../state/failures.ts'
import { clearSelection, selectedComputers, selectedCount } from '../state/selection.ts'
import { may, mayGroup } from '../state/session.ts'
import { CommandMenu } from './command-menu.tsx'
import { LivePanel } from './live-panel.tsx'
import { TagButton } from './tag-button.tsx'

/** The commands that have a button of their own, in this sequence. All others are in the menu. */
const commonPaths = ['/wol', '/shell/run', '/session', '/reboot', '/poweroff']

export function ActionBar() {
  const n = selectedCount.value
  return (
    <section class="action-area" aria-label={t('actions.title')}>
      <LivePanel />
      <div class={n === 0 ? 'action-bar without-selection' : 'action-bar'}>
        <div class="selection">
          <strong role="status">{n === 0 ? t('actions.none') : t('actions.selected', { n })}</strong>
          {n > 0 && (
            <button type="button" class="plain" onClick={clearSelection}>
              {t('actions.clear')}
            </button>
          )}
        </div>
        {!may('operate') && <span class="hint">{t('actions.readOnly')}</span>}
        {commandsProblem.value && (
          <span class="problem">{t('resource.problem', { reason: commandsProblem.value })}</span>
        )}
        <div class="command-buttons">
          {may('operate') && <SeenButton />}
          {commonCommands().map(command => (
            <button
              type="button"
              key={command.path}
              class={command.isDestructive ? 'destructive' : undefined}
              disabled={n === 0}
              onClick={() => choose(command)}
            >
              {labelOf(command)}
            </button>
          ))}
          {mayGroup() && <TagButton />}
          <CommandMenu isDisabled={n === 0} choose={choose} />
        </div>
      </div>
    </section>
  )
}

/** Only where something has failed on what is selected. */
function SeenButton() {
  const failed = selectedComputers().filter(({ live }) => live.value.failures.length > 0)
  if (failed.length === 0) return null
  return (
    <button type="button" onClick={() => void markSeen(failed.map(({ ip }) => ip))}>
      {`${labelOfName('failure-seen')} (${failed.length})`}
    </button>
  )
}

const choose = ({ name }: CommandInfo) => chooseCommand(name, selectedComputers())

const commonCommands = () => commonPaths.flatMap(path => commands.value.find(command => command.path === path) ?? [])

// What can be done with the selected computers, always at the same place: at the bottom of the page.
import type { CommandInfo } from '../api/api-document.ts'
import { t } from '../language/translate.ts'
import { later } from '../pages/page-scripts.ts'
import { Button } from '../parts/button.tsx'
import { lazy } from '../parts/lazy.tsx'
import { chooseCommand, commands, commandsProblem, labelOf, labelOfName } from '../state/commands.ts'
import { markSeen } from '../state/failures.ts'
import { clearSelection, hiddenSelected, selectedComputers, selectedCount } from '../state/selection.ts'
import { may, mayGroup } from '../state/session.ts'
import { CommandMenu } from './command-menu.tsx'

const TagButton = lazy(later, 'TagButton')
const HiddenSelection = lazy(later, 'HiddenSelection')

/** The commands that have a button of their own, in this sequence. All others are in the menu. */
const commonPaths = ['/wol', '/shell/run', '/session', '/image/restore', '/reboot', '/poweroff']
/** Those that are where a computer is seen. */
export const tilePaths = [...commonPaths, '/stop']

/** Without a selection only its words are there, for screen readers. */
export function ActionBar() {
  const n = selectedCount.value
  return (
    <section class="action-area" aria-label={t('actions.title')}>
      <div class={n === 0 ? 'hidden-text' : 'action-bar row'}>
        <div class="row">
          <strong role="status" class={hiddenSelected.value.length > 0 ? 'in-use' : undefined}>
            {n === 0 ? t('actions.none') : selectedWords()}
          </strong>
          <HiddenSelection />
          {n > 0 && <Button text={t('actions.clear')} class="plain" press={clearSelection} />}
        </div>
        {n > 0 && <Commands />}
      </div>
    </section>
  )
}

/** `5 computers selected, 3 not shown here`. */
export function selectedWords(): string {
  const { length: n } = hiddenSelected.value
  const selected = t('actions.selected', { n: selectedCount.value })
  return n === 0 ? selected : t('actions.hidden', { selected, n })
}

function Commands() {
  const problem = commandsProblem.value
  return (
    <>
      {!may('operate') && <span class="hint">{t('actions.readOnly')}</span>}
      {problem && <span class="problem">{t('resource.problem', { reason: problem })}</span>}
      <div class="command-buttons row">
        {commandsOf(commonPaths).map(command => (
          <Button
            key={command.path}
            text={labelOf(command)}
            class={command.isDestructive ? 'destructive' : undefined}
            press={() => choose(command)}
          />
        ))}
        {may('operate') && <SeenButton />}
        {mayGroup() && <TagButton />}
        <CommandMenu choose={choose} />
      </div>
    </>
  )
}

/** Only where something has failed on what is selected. */
function SeenButton() {
  const failed = selectedComputers().filter(({ live }) => live.value.failures.length > 0)
  if (failed.length === 0) return null
  return (
    <Button
      text={`${labelOfName('failure-seen')} (${failed.length})`}
      press={() => markSeen(failed.map(({ ip }) => ip))}
    />
  )
}

const choose = ({ name }: CommandInfo) => chooseCommand(name, selectedComputers())

export const commandsOf = (paths: readonly string[]) =>
  paths.flatMap(path => commands.value.find(command => command.path === path) ?? [])

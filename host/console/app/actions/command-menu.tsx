// The menu of all commands for computers, by group, with a search.
import { useComputed, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { CommandInfo } from '../api/api-document.ts'
import { t } from '../language/translate.ts'
import { Button } from '../parts/button.tsx'
import { commands, groupLabel, labelOf } from '../state/commands.ts'

export interface CommandMenuProps {
  choose(command: CommandInfo): void
}

/** Pixels between the button and the menu. */
const gap = 8

export function CommandMenu({ choose }: CommandMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const search = useSignal('')
  // Enter may come before what was typed is drawn.
  const matching = useComputed(() => commands.value.filter(command => matches(command, search.value)))
  const pick = (command: CommandInfo | undefined) => {
    if (!command) return
    menu.current?.hidePopover()
    choose(command)
  }
  const place = () => {
    search.value = ''
    const top = button.current?.getBoundingClientRect().top ?? 0
    if (menu.current) menu.current.style.bottom = `${innerHeight - top + gap}px`
  }
  const followKeys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const stops = [...(menu.current?.querySelectorAll<HTMLElement>('input, button') ?? [])]
    const next = stops.findIndex(stop => stop.matches(':focus')) + step
    stops.at(next % stops.length)?.focus()
  }
  return (
    <>
      <button type="button" ref={button} popovertarget="command-menu" class="menu-opener">
        {t('actions.all')} <span aria-hidden="true">▴</span>
      </button>
      <div
        id="command-menu"
        class="menu command-menu card"
        popover="auto"
        role="dialog"
        aria-label={t('actions.all')}
        ref={menu}
        onBeforeToggle={place}
        onKeyDown={followKeys}
      >
        <input
          type="search"
          autofocus
          placeholder={t('actions.search')}
          aria-label={t('actions.search')}
          value={search.value}
          onInput={event => (search.value = event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key === 'Enter') pick(bestOf(matching.value, search.value))
          }}
        />
        <CommandGroups commands={matching.value} pick={pick} />
      </div>
    </>
  )
}

function CommandGroups({ commands, pick }: { commands: readonly CommandInfo[]; pick(command: CommandInfo): void }) {
  const groups = [...new Set(commands.map(({ group }) => group))]
  return (
    <div class="command-groups">
      {commands.length === 0 && <p class="hint">{t('actions.noneFound')}</p>}
      {groups.map(group => (
        <section key={group}>
          <h3>{groupLabel(group)}</h3>
          {commands
            .filter(command => command.group === group)
            .map(command => (
              <Button
                key={command.path}
                text={labelOf(command)}
                class={command.isDestructive ? 'plain destructive' : 'plain'}
                press={() => pick(command)}
              />
            ))}
        </section>
      ))}
    </div>
  )
}

/** What the user sees counts more than the words of the reference. */
const bestOf = (commands: readonly CommandInfo[], search: string) =>
  commands.find(command => labelOf(command).toLowerCase().includes(search.toLowerCase())) ?? commands[0]

function matches(command: CommandInfo, search: string): boolean {
  const text = `${labelOf(command)} ${command.summary} ${command.path} ${groupLabel(command.group)}`.toLowerCase()
  return search
    .toLowerCase()
    .split(' ')
    .every(word => text.includes(word))
}

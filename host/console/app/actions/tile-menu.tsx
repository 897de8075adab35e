// The menu of a right click or the menu key on a tile: what can be done with the computer, or the selection.
import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { Button } from '../parts/button.tsx'
import { chooseCommand, labelOf } from '../state/commands.ts'
import type { ComputerView } from '../state/lab.ts'
import { linkTo } from '../state/route.ts'
import { selectedComputers, selectedCount } from '../state/selection.ts'
import { commandsOf, selectedWords, tilePaths } from './action-bar.tsx'

/** Where it is, in pixels of the window, what gets the focus after it, and the computer; without one it is for the selection. */
const opened = signal<{ x: number; y: number; tile: HTMLElement; computer: ComputerView | undefined } | undefined>(
  undefined,
)

export function openTileMenu(tile: HTMLElement, { clientX: x, clientY: y }: MouseEvent, computer?: ComputerView): void {
  opened.value = { x, y, tile, computer }
}

const close = (): void => {
  opened.value = undefined
}

export const TileMenu = () => (opened.value && selectedCount.value > 0 ? <Menu {...opened.value} /> : null)

function Menu({ x, y, tile, computer }: NonNullable<typeof opened.value>) {
  const menu = useRef<HTMLDivElement>(null)
  const computers = computer ? [computer] : selectedComputers()
  const [only] = computers.length === 1 ? computers : []
  const title = only?.name ?? selectedWords()
  useLayoutEffect(() => {
    const { current } = menu
    if (!current) return
    // One that closes by itself would do so when the button is released that has opened it.
    current.showPopover()
    const [left, top] = [innerWidth - current.offsetWidth, innerHeight - current.offsetHeight]
    current.style.inset = `${Math.max(0, Math.min(y, top))}px auto auto ${Math.max(0, Math.min(x, left))}px`
    current.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [x, y])
  const followKeys = (event: KeyboardEvent) => {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = items.findIndex(item => item.matches(':focus'))
    const next = { ArrowDown: (at + 1) % items.length, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') tile.focus()
    else if (next !== undefined) items.at(next)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      class="menu tile-menu card"
      popover="manual"
      role="menu"
      aria-label={title}
      ref={menu}
      onKeyDown={followKeys}
      onFocusOut={({ relatedTarget: next }) => (next instanceof Node && menu.current?.contains(next)) || close()}
    >
      <strong role="none">{title}</strong>
      {only && (
        <a class="button plain" role="menuitem" tabIndex={-1} href={linkTo('computer', only.ip)}>
          {t('keys.open')}
        </a>
      )}
      {commandsOf(tilePaths).map(command => (
        <Button
          key={command.path}
          text={labelOf(command)}
          role="menuitem"
          tabIndex={-1}
          class={command.isDestructive ? 'plain destructive' : 'plain'}
          press={() => {
            tile.focus()
            chooseCommand(command.name, computers)
          }}
        />
      ))}
      {/* Its commands are for all that is selected. */}
      {computers.length === selectedCount.value && (
        <Button role="menuitem" tabIndex={-1} class="plain" popovertarget="command-menu">
          {t('actions.all')} …
        </Button>
      )}
    </div>
  )
}

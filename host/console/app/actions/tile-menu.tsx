// The menu of a right click or the menu key on a tile: what can be done with the computer, or the selection.
import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { Button } from '../parts/button.tsx'
import { labelOf } from '../state/commands.ts'
import { linkTo } from '../state/route.ts'
import { selectedComputers, selectedCount } from '../state/selection.ts'
import { choose, commandsOf, tilePaths } from './action-bar.tsx'

/** Where it is, in pixels of the window, and what gets the focus after it. */
const opened = signal<{ x: number; y: number; tile: HTMLElement } | undefined>(undefined)

export function openTileMenu(tile: HTMLElement, { clientX: x, clientY: y }: MouseEvent): void {
  opened.value = { x, y, tile }
}

const close = (): void => {
  opened.value = undefined
}

export const TileMenu = () => (opened.value && selectedCount.value > 0 ? <Menu {...opened.value} /> : null)

function Menu({ x, y, tile }: { x: number; y: number; tile: HTMLElement }) {
  const menu = useRef<HTMLDivElement>(null)
  const computers = selectedComputers()
  const [only] = computers.length === 1 ? computers : []
  const title = only?.name ?? t('actions.selected', { n: computers.length })
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
            choose(command)
          }}
        />
      ))}
      <Button role="menuitem" tabIndex={-1} class="plain" popovertarget="command-menu">
        {t('actions.all')} …
      </Button>
    </div>
  )
}

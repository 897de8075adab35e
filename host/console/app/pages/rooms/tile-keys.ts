// The keyboard on the room map: arrow keys go from tile to tile and from room to room; only one tile of a room is a tab stop.
import { peekAt } from '../../state/peek.ts'
import { goTo } from '../../state/route.ts'
import { selectRange, selectTile, shownTiles, startRange, tileAt } from './tile-selection.ts'

/**
 * The list of a room is the tab stop and hands the focus to a tile; while a tile has it the list is none, so that Shift+Tab
 * leaves the room.
 */
export function followFocus(event: FocusEvent): void {
  const { target } = event
  if (!(target instanceof HTMLElement)) return
  const list = target.closest<HTMLElement>('.tiles')
  if (!list) return
  if (event.type === 'focusout') list.tabIndex = 0
  else if (target === list) (list.querySelector<HTMLElement>('.tile.visited:not([hidden])') ?? firstOf(list))?.focus()
  else {
    list.querySelector('.visited')?.classList.remove('visited')
    target.classList.add('visited')
    list.tabIndex = -1
  }
}

const firstOf = (list: Element): HTMLElement | undefined => shownTiles(list)[0]

export function pressKey(event: KeyboardEvent, map: HTMLElement): void {
  const tile = tileAt(event.target)
  if (!tile || event.altKey || event.ctrlKey || event.metaKey) return
  if (event.key === 'Enter') goTo('computer', tile.dataset.ip ?? '')
  else if (event.key === ' ' && event.shiftKey) selectRange(map, tile)
  else if (event.key === ' ') peekAt(tile.dataset.ip ?? '')
  else if (event.key === 'x') selectTile(tile, 'toggle')
  else {
    const next = neighbourOf(map, tile, event.key)
    if (!next) return
    if (event.shiftKey) extend(map, tile, next)
    next.focus()
    next.scrollIntoView({ block: 'nearest' })
  }
  event.preventDefault()
}

/** The first step of an extension begins at the tile that has the focus. */
function extend(map: HTMLElement, tile: HTMLElement, next: HTMLElement): void {
  if (tile.getAttribute('aria-selected') !== 'true') startRange(tile)
  selectRange(map, next)
}

function neighbourOf(map: HTMLElement, tile: HTMLElement, key: string): HTMLElement | undefined {
  if (key === 'ArrowUp' || key === 'ArrowDown') return neighbourInColumn(map, tile, key === 'ArrowUp' ? -1 : 1)
  const tiles = shownTiles(map)
  const index = tiles.indexOf(tile)
  switch (key) {
    case 'ArrowLeft':
      return tiles[index - 1]
    case 'ArrowRight':
      return tiles[index + 1]
    case 'Home':
      return tiles[0]
    case 'End':
      return tiles.at(-1)
    default:
      return undefined
  }
}

/** The nearest tile of the nearest row above or below, in this room or in the next one that shows tiles. */
function neighbourInColumn(map: HTMLElement, tile: HTMLElement, direction: -1 | 1): HTMLElement | undefined {
  const { left, top } = tile.getBoundingClientRect()
  const lists = [...map.querySelectorAll('.tiles')]
  const own = tile.closest('.tiles')
  // Measuring only one list at a time: the browser lays out a room that is out of sight when it is measured.
  for (let index = own ? lists.indexOf(own) : -1; lists[index]; index += direction) {
    const boxes = shownTiles(lists[index] ?? map).map(each => ({ each, box: each.getBoundingClientRect() }))
    const beyond = boxes.filter(({ box }) => (box.top - top) * direction > 1)
    const rowTop = direction * Math.min(...beyond.map(({ box }) => box.top * direction))
    const row = beyond.filter(({ box }) => Math.abs(box.top - rowTop) < 1)
    row.sort((a, b) => Math.abs(a.box.left - left) - Math.abs(b.box.left - left))
    if (row[0]) return row[0].each
  }
  return undefined
}

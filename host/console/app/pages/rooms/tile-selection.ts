// What clicks and keys on the tiles select. The tiles' order in the page is the reading order.
import { type ComputerView, computers, pendingClients } from '../../state/lab.ts'
import { select } from '../../state/selection.ts'

/** Where a range begins: the tile that was selected or deselected last. */
let anchor: string | undefined
/** The range that Shift has selected since then: the next one replaces it. */
let range: readonly ComputerView[] = []

export function computerOf(tile: HTMLElement): ComputerView | undefined {
  const { ip = '' } = tile.dataset
  return computers.peek().get(ip) ?? pendingClients.peek().find(each => each.ip === ip)
}

/** Without those that the filter hides. */
export const shownTiles = (map: Element): HTMLElement[] => [...map.querySelectorAll<HTMLElement>('.tile:not([hidden])')]

export const tileAt = (target: EventTarget | null): HTMLElement | undefined =>
  target instanceof Element ? (target.closest<HTMLElement>('.tile') ?? undefined) : undefined

export function selectTile(tile: HTMLElement, mode: 'only' | 'toggle'): void {
  const computer = computerOf(tile)
  if (computer) select([computer], mode)
  startRange(tile)
}

export function startRange(tile: HTMLElement): void {
  anchor = tile.dataset.ip
  range = []
}

/** Selects from the anchor to this tile; what was selected otherwise stays. */
export function selectRange(map: Element, tile: HTMLElement): void {
  const tiles = shownTiles(map)
  const from = tiles.findIndex(({ dataset }) => dataset.ip === anchor)
  const to = tiles.indexOf(tile)
  if (from < 0) {
    selectTile(tile, 'only')
    return
  }
  const chosen = tiles.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap(each => computerOf(each) ?? [])
  select(range, 'remove')
  select(chosen, 'add')
  range = chosen
}

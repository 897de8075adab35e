// The mouse and the finger on the room map: click, Ctrl+click, Shift+click, a tap, and a rectangle drawn over tiles.
import type { ComputerView } from '../../state/lab.ts'
import { goTo } from '../../state/route.ts'
import { select, selectedComputers } from '../../state/selection.ts'
import { computerOf, selectRange, selectTile, shownTiles, tileAt } from './tile-selection.ts'

/** Pixels that the mouse moves before a click becomes a rectangle. */
const leastMove = 5
/** Pixels at the edge of the window in which the rectangle scrolls the page. */
const edge = 40

/** Returns the function that ends it. */
export function followPointer(map: HTMLElement, frame: HTMLElement): () => void {
  const ending = new AbortController()
  const options = { signal: ending.signal }
  let isTouch = false
  let start: { x: number; y: number; selected: readonly ComputerView[] } | undefined
  let isDrawn = false
  map.addEventListener('pointerdown', down, options)
  map.addEventListener('click', click, options)
  map.addEventListener('dblclick', doubleClick, options)
  addEventListener('pointermove', moveTo, options)
  addEventListener('pointerup', up, options)
  addEventListener('pointercancel', up, options)
  return () => ending.abort()

  function down(event: PointerEvent): void {
    isTouch = event.pointerType === 'touch'
    isDrawn = false
    const { target } = event
    const isControl = target instanceof Element && target.closest('button, input, a, .arrange, .room > header')
    if (isTouch || event.button !== 0 || isControl) return
    const isAdding = event.ctrlKey || event.metaKey || event.shiftKey
    start = { x: event.pageX, y: event.pageY, selected: isAdding ? selectedComputers() : [] }
  }

  function moveTo(event: PointerEvent): void {
    if (!start) return
    const width = Math.abs(event.pageX - start.x)
    const height = Math.abs(event.pageY - start.y)
    if (!isDrawn && width + height < leastMove) return
    isDrawn = true
    const left = Math.min(event.pageX, start.x) - scrollX
    const top = Math.min(event.pageY, start.y) - scrollY
    const box = new DOMRect(left, top, width, height)
    Object.assign(frame.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
    frame.hidden = false
    select([...start.selected, ...touched(map, box)], 'only')
    if (event.clientY < edge) scrollBy(0, -edge / 2)
    else if (event.clientY > innerHeight - edge) scrollBy(0, edge / 2)
  }

  function up(): void {
    start = undefined
    frame.hidden = true
  }

  function click(event: MouseEvent): void {
    const tile = tileAt(event.target)
    // The click that ends a rectangle is none.
    if (!tile || isDrawn) return
    if (event.shiftKey) selectRange(map, tile)
    else selectTile(tile, event.ctrlKey || event.metaKey || isTouch ? 'toggle' : 'only')
  }

  function doubleClick(event: MouseEvent): void {
    const tile = tileAt(event.target)
    if (tile && !isTouch) goTo('computer', tile.dataset.ip ?? '')
  }
}

/** Only rooms that the rectangle touches are measured tile by tile. */
function touched(map: HTMLElement, box: DOMRect): ComputerView[] {
  const lists = [...map.querySelectorAll('.tiles')].filter(list => meets(list, box))
  return lists
    .flatMap(shownTiles)
    .filter(tile => meets(tile, box))
    .flatMap(tile => computerOf(tile) ?? [])
}

function meets(element: Element, box: DOMRect): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return left < box.right && right > box.left && top < box.bottom && bottom > box.top
}

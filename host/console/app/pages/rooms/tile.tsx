// One computer on the room map. One effect paints what has changed of it; the component is never rendered again for that.
import { effect } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import { conditionWord } from '../../parts/condition-sign.tsx'
import { type Badge, badges, noBadges } from '../../state/badges.ts'
import { isShown } from '../../state/filter.ts'
import { type ComputerView, hasFailed, type Live, type Seat } from '../../state/lab.ts'

export interface TileProps {
  computer: ComputerView
  /** The cell of the room's grid; undefined where the tiles flow. */
  cell?: Seat | undefined
}

export function Tile({ computer, cell }: TileProps) {
  const tile = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!tile.current) return
    const element = tile.current
    const paint = createPainter(element)
    const endPaint = effect(() => paint(computer.live.value))
    const endHide = effect(() => {
      element.hidden = !isShown(computer)
    })
    const paintBadges = createBadgePainter(element.querySelector('.tile-badges'))
    const endBadges = effect(() => paintBadges(badges.value.get(computer.ip) ?? noBadges))
    return () => {
      endBadges()
      endPaint()
      endHide()
    }
  }, [computer])
  return (
    <div
      ref={tile}
      class="tile"
      role="option"
      tabIndex={-1}
      aria-selected={computer.selected}
      title={computer.name === computer.ip ? computer.ip : `${computer.name} · ${computer.ip}`}
      data-ip={computer.ip}
      style={cell && { gridRow: cell.row, gridColumn: cell.column }}
    >
      <span class="tile-name">{computer.name}</span>
      <span class="tile-line">
        <span class="tile-word" />
        <span class="tile-badges" />
      </span>
      <span class="tile-user" />
      <span class="tile-mark" />
    </div>
  )
}

/** Writes only what differs from the last time. The element's content is its name for screen readers. */
function createPainter(element: HTMLElement): (live: Live) => void {
  const spans = element.querySelectorAll('.tile-word, .tile-user, .tile-mark')
  // Each keeps one text node: another one for each change would be garbage soon.
  const [word, user, mark] = Array.from(spans, span => {
    const text = new Text()
    span.replaceChildren(text)
    return text
  })
  const written = new Map<unknown, string>()
  const isNew = (target: unknown, value: string): boolean => {
    if (written.get(target) === value) return false
    written.set(target, value)
    return true
  }
  const write = (target: Text | undefined, text: string): void => {
    if (target && isNew(target, text)) target.data = text
  }
  return ({ condition, user: name, failures, progress }) => {
    const percent = progress === undefined ? '' : String(Math.round(progress))
    if (isNew('condition', condition)) element.dataset.condition = condition
    if (isNew('progress', percent)) setProgress(element, percent)
    write(word, percent === '' ? conditionWord(condition) : `${conditionWord(condition)} ${percent} %`)
    write(user, name === '' ? t('rooms.someone') : (name ?? ''))
    const [stop] = failures
    const isFailed = hasFailed({ failures })
    if (isNew('failed', String(isFailed))) element.classList.toggle('failed', isFailed)
    write(mark, isFailed ? t('rooms.failed') : stop ? t('failures.stopped') : '')
  }
}

/** Most computers have none: only those that change are written. */
function createBadgePainter(element: Element | null): (marks: readonly Badge[]) => void {
  let written = noBadges
  return marks => {
    if (marks === written) return
    written = marks
    const [first, ...others] = marks
    const spans = first ? [badgeElement(first)] : []
    const title = others.map(each => each.text).join(', ')
    if (title !== '') spans.push(badgeElement({ text: `+${others.length}`, title }))
    element?.replaceChildren(...spans)
  }
}

function badgeElement({ text, tone = 'neutral', title = '' }: Omit<Badge, 'client'>): HTMLElement {
  const span = document.createElement('span')
  Object.assign(span, { className: 'view-badge', textContent: text, title })
  span.dataset.tone = tone
  return span
}

/** The style sheet draws a bar of this length. */
function setProgress({ style, classList }: HTMLElement, percent: string): void {
  classList.toggle('working', percent !== '')
  style.setProperty('--percent', percent)
}

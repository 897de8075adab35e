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
    const parts = createParts(computer.name)
    element.replaceChildren(...parts.children)
    const paint = createPainter(element, parts)
    const endPaint = effect(() => paint(computer.live.value))
    const endHide = effect(() => {
      element.hidden = !isShown(computer)
    })
    const paintBadges = createBadgePainter(parts.badges)
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
    />
  )
}

/** The page's own elements: virtual ones, of thousands of tiles, would take 3 MB more. */
function createParts(name: string) {
  const span = (part: string, ...content: (Node | string)[]) => {
    const element = document.createElement('span')
    element.className = `tile-${part}`
    element.append(...content)
    return element
  }
  // Each keeps one text node: another one for each change would be garbage soon.
  const [word, user, mark, badges] = [new Text(), new Text(), new Text(), span('badges')]
  const children = [
    span('name', name),
    span('line', span('word', word), badges),
    span('user', user),
    span('mark', mark),
  ]
  return { children, word, user, mark, badges }
}

type Texts = Pick<ReturnType<typeof createParts>, 'word' | 'user' | 'mark'>

/** Writes only what differs from the last time. The element's content is its name for screen readers. */
function createPainter(element: HTMLElement, { word, user, mark }: Texts): (live: Live) => void {
  let [shownCondition, shownPercent, isShownFailed]: [string, string, boolean] = ['', '', false]
  return ({ condition, user: name, failures, progress }) => {
    const percent = progress === undefined ? '' : String(Math.round(progress))
    if (condition !== shownCondition) element.dataset.condition = condition
    if (percent !== shownPercent) setProgress(element, percent)
    write(word, percent === '' ? conditionWord(condition) : `${conditionWord(condition)} ${percent} %`)
    write(user, name === '' ? t('rooms.someone') : (name ?? ''))
    const [stop] = failures
    const isFailed = hasFailed({ failures })
    if (isFailed !== isShownFailed) element.classList.toggle('failed', isFailed)
    write(mark, isFailed ? t('rooms.failed') : stop ? t('failures.stopped') : '')
    shownCondition = condition
    shownPercent = percent
    isShownFailed = isFailed
  }
}

function write(target: Text, text: string): void {
  if (target.data !== text) target.data = text
}

/** Most computers have none: only those that change are written. */
function createBadgePainter(element: Element): (marks: readonly Badge[]) => void {
  let written = noBadges
  return marks => {
    if (marks === written) return
    written = marks
    const [first, ...others] = marks
    const spans = first ? [badgeElement(first)] : []
    const title = others.map(each => each.text).join(', ')
    if (title !== '') spans.push(badgeElement({ text: `+${others.length}`, title }))
    element.replaceChildren(...spans)
  }
}

function badgeElement({ text, tone = 'neutral', title = '' }: Omit<Badge, 'client'>): HTMLElement {
  const span = document.createElement('span')
  Object.assign(span, { className: 'badge view-badge', textContent: text, title })
  span.dataset.tone = tone
  return span
}

/** The style sheet draws a bar of this length. */
function setProgress({ style, classList }: HTMLElement, percent: string): void {
  classList.toggle('working', percent !== '')
  style.setProperty('--percent', percent)
}

// Which rows of a long table are drawn: those on the screen and some around them. The keys j and k go from row to row, x selects.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { peekAt } from '../state/peek.ts'
import { isTyping } from '../state/typing.ts'

/** Shorter tables are drawn whole: the browser can search and print them. */
const wholeTable = 100

/** Rows above and below the screen. */
const spare = 8

/** Pixels, until one was measured. */
const rowHeight = 37

type Body = RefObject<HTMLTableSectionElement | null>

export interface RowWindow {
  first: number
  /** The first one behind it that is not drawn. */
  end: number
  /** Pixels of the rows that are not drawn. */
  above: number
  below: number
}

export function useRowWindow(body: Body, count: number): RowWindow {
  const isLong = count > wholeTable
  const heights = useRef<number[]>([])
  const [shown, setShown] = useState<RowWindow>({ first: 0, end: wholeTable / 2, above: 0, below: count * rowHeight })
  const update = () => {
    if (isLong && body.current) setShown(before => windowIn(body.current, count, heights.current, before))
  }
  useLayoutEffect(update, [count, isLong, shown])
  useLayoutEffect(() => {
    const options = { capture: true, passive: true }
    // The page or a box around the table.
    addEventListener('scroll', update, options)
    addEventListener('resize', update)
    return () => {
      removeEventListener('scroll', update, options)
      removeEventListener('resize', update)
    }
  }, [count, isLong])
  if (!isLong) return { first: 0, end: count, above: 0, below: 0 }
  // Fewer rows than when it was measured.
  return shown.first < count ? shown : { ...shown, first: 0 }
}

/** `heights`: of the rows that were drawn; the others count as the first ones. */
function windowIn(body: HTMLElement | null, count: number, heights: number[], before: RowWindow): RowWindow {
  for (const row of rowsOf(body))
    heights[Number(row.getAttribute('aria-rowindex')) - 2] = row.getBoundingClientRect().height
  const ends: number[] = []
  for (let index = 0, sum = 0; index < count; index += 1) {
    sum += heights[index] ?? heights[0] ?? rowHeight
    ends.push(sum)
  }
  const top = body?.getBoundingClientRect().top ?? 0
  const rowAt = (y: number) => ends.findIndex(end => end > y - top) + 1 || count
  const first = Math.max(0, Math.min(count, rowAt(0)) - 1 - spare)
  const end = Math.max(first + 1, Math.min(count, rowAt(innerHeight) + spare))
  const [above = 0, below = 0] = [ends[first - 1], (ends.at(-1) ?? 0) - (ends[end - 1] ?? 0)]
  const isSame = first === before.first && end === before.end && above === before.above && below === before.below
  return isSame ? before : { first, end, above, below }
}

const rowsOf = (body: HTMLElement | null) => [...(body?.querySelectorAll<HTMLElement>('tr[aria-rowindex]') ?? [])]

export function useRowKeys(body: Body): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return
      const rows = rowsOf(body.current)
      const at = rows.findIndex(row => row.contains(document.activeElement))
      const step = { j: 1, k: -1 }[event.key]
      if (step) rows[at < 0 ? 0 : at + step]?.focus()
      else if (event.key === 'x' && at >= 0) rows[at]?.querySelector<HTMLElement>('[type="checkbox"]')?.click()
      else if (event.key === ' ' && event.target === rows[at] && rows[at]?.dataset.ip) peekAt(rows[at].dataset.ip)
      else if (event.key === 'Enter' && at >= 0 && event.target === rows[at]) rows[at]?.querySelector('a')?.click()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

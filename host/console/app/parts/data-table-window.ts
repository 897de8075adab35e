// Which rows of a long table are drawn: those on the screen and some around them. The keys j and k go from row to row, x selects.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { peekAt } from '../state/peek.ts'
import { isTyping } from '../state/typing.ts'

/** Shorter tables are drawn whole: the browser can search and print them. */
export const wholeTable = 100

/** Rows above and below the screen. */
const spare = 8

/** Until one was measured; all rows of a long table have the same height. */
const rowHeight = 37

type Body = RefObject<HTMLTableSectionElement | null>

export interface RowWindow {
  first: number
  /** The first one behind it that is not drawn. */
  end: number
  /** Pixels. */
  height: number
}

export function useRowWindow(body: Body, count: number): RowWindow {
  const isLong = count > wholeTable
  const [shown, setShown] = useState<RowWindow>({ first: 0, end: wholeTable / 2, height: rowHeight })
  useLayoutEffect(() => {
    if (!isLong) return undefined
    const update = () => {
      if (body.current) setShown(before => windowIn(body.current, count, before))
    }
    update()
    const options = { capture: true, passive: true }
    // The page or a box around the table.
    addEventListener('scroll', update, options)
    addEventListener('resize', update)
    return () => {
      removeEventListener('scroll', update, options)
      removeEventListener('resize', update)
    }
  }, [count, isLong])
  if (!isLong) return { first: 0, end: count, height: rowHeight }
  // Fewer rows than when it was measured.
  return shown.first < count ? shown : { ...shown, first: 0 }
}

function windowIn(body: HTMLElement | null, count: number, before: RowWindow): RowWindow {
  // Those that show all of their text may be higher.
  const row = rowsOf(body).find(each => !each.matches('.whole, :focus-within'))
  const height = row?.getBoundingClientRect().height || before.height
  const top = body?.getBoundingClientRect().top ?? 0
  const first = Math.max(0, Math.min(count - 1, Math.floor(-top / height)) - spare)
  const end = Math.max(first + 1, Math.min(count, Math.ceil((innerHeight - top) / height) + spare))
  return first === before.first && end === before.end && height === before.height ? before : { first, end, height }
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

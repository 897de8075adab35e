// What the console and `fleet` draw of a module: data, no script. Types only.
import type { PackContext } from './pack.ts'
import type { Access, Awaitable, Rights, Services } from './services.ts'

export type Tone = 'good' | 'warning' | 'bad' | 'neutral'

/** A line of a card. */
export interface ViewRow {
  label: string
  value: string | number
  tone?: Tone
}

/** A mark on tiles and in lists. */
export interface ViewBadge {
  text: string
  tone?: Tone
  title?: string
}

/** A card of the first page. */
export interface ViewFigure {
  value: string | number
  unit?: string
  tone?: Tone
  points?: readonly ViewPoint[]
}

/** ISO time and value. */
export interface ViewPoint {
  time: string
  value: number
}

export interface ViewPage {
  columns: readonly { key: string; title: string; type?: 'text' | 'number' | 'time' }[]
  rows: readonly Readonly<Record<string, string | number | boolean | null>>[]
  /** For `after` of the next page; absent on the last one. */
  next?: string
  /** What can be sent for a row: the payload has the row's values of these keys; that of `clients` as a list. */
  actions?: readonly {
    title: string
    command: string
    payload: Readonly<Record<string, unknown>>
    rowKeys?: readonly string[]
    /** The command's form asks for the other keys: for a row, or once above the table, without a row. */
    form?: 'row' | 'page'
  }[]
}

export interface ViewChart {
  unit?: string
  /** Milliseconds: points that are farther apart are not joined, as nothing is known of the time between them. */
  gap?: number
  series: readonly { title: string; points: readonly ViewPoint[] }[]
}

/**
 * The default export of a view file. `data` has 5 s. It returns at most 100 lines, 1,000 rows of a page, or 20 series of
 * 1,000 points; anything else than its kind returns is refused, with one line in the log.
 */
export type View<P = undefined> = ViewBase &
  (
    | {
        view: 'computer'
        data(context: ViewContext<P> & { client: string }): Awaitable<readonly ViewRow[] | undefined>
      }
    | {
        view: 'client-badge'
        data(context: ViewContext<P> & { clients: readonly string[] }): Awaitable<ReadonlyMap<string, ViewBadge>>
      }
    | { view: 'overview'; data(context: ViewContext<P>): Awaitable<ViewFigure | undefined> }
    | { view: 'page'; data(context: ViewContext<P> & { query: string; after: string }): Awaitable<ViewPage> }
    | {
        view: 'chart'
        /** Milliseconds since 1970; `step`: milliseconds between points. */
        data(context: ViewContext<P> & { from: number; until: number; step: number }): Awaitable<ViewChart>
      }
  )

interface ViewBase {
  contract?: 3
  /** One line for people. */
  summary: string
  /** The heading where it is drawn. */
  title: string
  /** Of a file outside of packs, as those of a pack. */
  settings?: object
  collections?: Readonly<Record<string, object>>
  /** The role that callers need; default `read`. */
  access?: Exclude<Access, 'none'>
  /** Limited callers may see it: it asks `rights` which computers, or concerns none. Not needed where it gets clients. */
  scoped?: true
}

export interface ViewContext<P = undefined> extends PackContext<P> {
  services: Services
  /** Of who looks at it. */
  rights: Rights
}

// Checks what the functions of views return: people wrote them, and browsers draw it.
import { Ajv, type ValidateFunction } from 'ajv'
import type { ViewAnswer } from '../contract/services.ts'
import type { ViewPage } from '../contract/view.ts'
import { formatAjvErrors, ownSchemas } from '../system/validation-errors.ts'

/** More than anybody reads in a card, a row or a chart, and far below the response limit. */
const most = { lines: 100, rows: 1000, columns: 50, keys: 100, actions: 10, series: 20, points: 1000 }

const text = (maxLength: number, minLength = 0) => ({ type: 'string', minLength, maxLength })
const strict = (required: readonly string[], properties: object) => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
})
const list = (items: object, maxItems: number) => ({ type: 'array', maxItems, items })

const tone = { enum: ['good', 'warning', 'bad', 'neutral'] }
// In a list of types `number` admits NaN, which JSON does not have.
const shortOrFinite = (maxLength: number) => ({
  maxLength,
  format: 'finite',
  expected: `a text of at most ${maxLength} characters or a finite number`,
})
const value = { type: ['string', 'number'], ...shortOrFinite(2000) }
const cell = { type: ['string', 'number', 'boolean', 'null'], ...shortOrFinite(10_000) }
// Any text that a browser reads as a time would do; this one all programs read.
const time = { ...text(40), pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d', expected: 'an ISO time' }
const points = list(strict(['time', 'value'], { time, value: { type: 'number' } }), most.points)
const key = text(100, 1)

const line = strict(['label', 'value'], { label: text(200), value, tone })
const badge = strict(['text'], { text: text(40, 1), tone, title: text(500) })
const figure = strict(['value'], { value, unit: text(20), tone, points })
const column = strict(['key', 'title'], { key, title: text(200), type: { enum: ['text', 'number', 'time'] } })
const row = { type: 'object', maxProperties: most.keys, additionalProperties: cell }
const action = strict(['title', 'command', 'payload'], {
  title: text(100, 1),
  command: text(200, 1),
  payload: { type: 'object', maxProperties: most.keys },
  rowKeys: list(key, most.keys),
  form: { enum: ['row', 'page'] },
})
const page = strict(['columns', 'rows'], {
  columns: { ...list(column, most.columns), minItems: 1 },
  rows: list(row, most.rows),
  next: text(1000, 1),
  actions: list(action, most.actions),
})
const series = strict(['title', 'points'], { title: text(200), points })
const chart = strict(['series'], {
  unit: text(20),
  gap: { type: 'number', minimum: 1 },
  series: list(series, most.series),
})

const ajv = new Ajv({ ...ownSchemas, strict: false, verbose: true })
ajv.addFormat('finite', { type: 'number', validate: Number.isFinite })

/** Throws an error with one line for anything else. */
function checkOf<Data>(schema: object): (data: unknown) => Data {
  let matches: ValidateFunction<Data> | undefined
  return data => {
    // At the first use: a site without views starts sooner.
    matches ??= ajv.compile<Data>(schema)
    if (matches(data)) return data
    throw new WrongData(formatAjvErrors(matches.errors, 'data'))
  }
}

/** The view has returned something else than its kind does. */
export class WrongData extends Error {}

/** The answer of a view of this kind. */
export type AnswerOf<Kind> = Extract<ViewAnswer, { view: Kind }>
type Badge = AnswerOf<'client-badge'>['badges'][number]
type Page = AnswerOf<'page'>

/** What the views of each kind return, as their answers have it. */
export const check = {
  lines: checkOf<AnswerOf<'computer'>['lines']>(list(line, most.lines)),
  badge: checkOf<Omit<Badge, 'client'>>(badge),
  figure: checkOf<NonNullable<AnswerOf<'overview'>['figure']>>(figure),
  page: checkOf<Pick<Page, 'columns' | 'rows' | 'next'> & Pick<ViewPage, 'actions'>>(page),
  chart: checkOf<Pick<AnswerOf<'chart'>, 'unit' | 'series'>>(chart),
  badges(data: unknown): ReadonlyMap<unknown, unknown> {
    if (data instanceof Map) return data
    throw new WrongData('data: expected a Map of addresses to marks, got something else')
  },
}

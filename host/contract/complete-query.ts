// Says what can be written at a place of a query for computers, for programs in which queries are typed: see docs/search.md.
import type { SearchFieldInfo } from './search-service.ts'

/** What stands at the cursor, and where what replaces it begins and ends. */
export interface QueryPlace {
  /** Of a value; a word without one may become a field. */
  field?: string
  /** Up to the cursor, without a quotation mark. */
  typed: string
  from: number
  to: number
}

export interface Suggestion {
  /** What is written. */
  word: string
  about: string
  /** The whole query with it, and where the cursor is then. */
  text: string
  cursor: number
}

/** Without a `-` or `!` in front of a field, which negates it. */
const piece = /(?![-!][\p{L}_])(?:([\p{L}_]+)(\s*(?::|!=|<=|>=|<|>|=)\s*))?(?:"[^"]*"?|[^\s()"<>=]+)?/uy

/** Undefined where nothing can be offered: in a version. */
export function placeAt(text: string, cursor: number): QueryPlace | undefined {
  let at = 0
  while (at <= cursor && at < text.length) {
    piece.lastIndex = at
    const [whole = '', field, operator] = piece.exec(text) ?? []
    const to = at + whole.length
    if (whole !== '' && cursor <= to) return placeIn(text, cursor, { at, to, field, operator })
    at = Math.max(to, at + 1)
  }
  return isCompared(text, cursor) ? undefined : { typed: '', from: cursor, to: cursor }
}

const isCompared = (text: string, at: number) => /[<>=]/.test(text[at - 1] ?? '')

interface Piece {
  at: number
  to: number
  field: string | undefined
  /** With the spaces around it. */
  operator: string | undefined
}

function placeIn(text: string, cursor: number, { at, to, field, operator = '' }: Piece): QueryPlace | undefined {
  if (isCompared(text, at)) return undefined
  const valueAt = at + (field?.length ?? 0) + operator.length
  if (field === undefined || cursor < valueAt)
    return { typed: text.slice(at, cursor), from: at, to: field ? valueAt : to }
  const typed = text.slice(valueAt, cursor).replace(/^"/, '').replace(/"$/, '')
  return { field: field.toLowerCase(), typed, from: valueAt, to }
}

const keywords: Readonly<Record<string, string>> = { and: 'a and b', or: 'a or b', not: 'not a' }

/** `values`: those of the field at this place; none for a word. */
export function suggest(
  text: string,
  place: QueryPlace,
  { fields, values }: { fields: readonly SearchFieldInfo[]; values: readonly string[] },
): Suggestion[] {
  const { field, from, to } = place
  const typed = place.typed.toLowerCase()
  const write = (word: string, about: string, end = ''): Suggestion => {
    const before = text.slice(0, from) + word + end
    return { word, about, text: before + text.slice(to), cursor: before.length }
  }
  // A version may follow the value at once.
  const info = fields.find(({ name }) => name === field)
  const end = info?.hasVersion || /^\s/.test(text.slice(to)) ? '' : ' '
  if (field !== undefined) return values.map(value => write(quoted(value), '', end))
  const ofFields = fields.flatMap(each =>
    each.name.startsWith(typed)
      ? operatorsOf(each, typed).map(operator => write(each.name + operator, each.about))
      : [],
  )
  if (typed === '') return ofFields
  const words = Object.keys(keywords).filter(word => word.startsWith(typed))
  return [...ofFields, ...words.map(word => write(word, keywords[word] ?? '', ' '))]
}

/** The one of the example, until the whole name is written. */
function operatorsOf({ name, example, operators }: SearchFieldInfo, typed: string): readonly string[] {
  if (typed === name) return operators
  const [operator = ':'] = /^(?:[<>]=|.)/.exec(example.slice(name.length)) ?? []
  return [operator]
}

/** A quotation mark cannot be written: a star stands for it. */
export const quoted = (value: string): string =>
  value === '' || /[\s()"<>=]/.test(value) ? `"${value.replaceAll('"', '*')}"` : value

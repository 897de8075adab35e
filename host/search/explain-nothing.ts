// Says why a query finds nothing: the condition that no computer meets, and what may have been meant.
import { closest, distance } from 'fastest-levenshtein'
import { quoted } from '../contract/complete-query.ts'
import { isRefusal } from '../contract/refusal.ts'
import type { NothingFound, Rights, SearchService } from '../contract/services.ts'
import { parseQuery, type Query, type Term } from './parse-query.ts'
import { nameOfField } from './resolve-query.ts'

type Deps = Pick<SearchService, 'find' | 'values'>

/** What is typed without a field may be a value of one of these. */
const likelyFields = ['room', 'tag', 'group', 'state', 'os', 'image', 'model', 'user', 'software']

/** Nothing is known of them before the first inventory. */
const inventoried = new Set(['os', 'software', 'ram', 'disk', 'used', 'cpu', 'model', 'device'])

/** Each is asked for by itself. */
const mostAsked = 10

/** What replaces a part of the query. */
interface Correction {
  from: number
  to: number
  word: string
}

/** Only of what the caller may see, as if nothing else were there. Undefined: each condition by itself finds something. */
export async function explainNothing(where: string, rights: Rights, deps: Deps): Promise<NothingFound | undefined> {
  for (const term of wantedTerms(parseQuery(where)).slice(0, mostAsked)) {
    const found = await deps.find(textOf(term), rights)
    if (isRefusal(found) || found.length > 0) continue
    const { name, isKnown } = await describe(term, rights, deps)
    if (!isKnown) return { reason: `at ${term.at + 1}: ${name} is not known of any computer` }
    const reason =
      name === undefined
        ? `at ${term.at + 1}: no name, address or serial number has ${quoted(term.value)}`
        : `at ${term.at + 1}: no computer has ${textOf(term)}`
    const correction = await correct(where, term, name, rights, deps)
    if (!correction) return { reason }
    return { reason, meant: where.slice(0, correction.from) + correction.word + where.slice(correction.to) }
  }
  return undefined
}

/** Without those behind a `not`. */
function wantedTerms(query: Query): Term[] {
  if ('and' in query) return query.and.flatMap(wantedTerms)
  if ('or' in query) return query.or.flatMap(wantedTerms)
  return 'not' in query ? [] : [query]
}

function textOf({ field, operator, value, version }: Term): string {
  const compared = version ? version.operator + version.value : ''
  return (field === undefined ? '' : field + operator) + quoted(value) + compared
}

async function describe({ field }: Term, rights: Rights, { find }: Deps) {
  const name = field === undefined ? undefined : nameOfField(field)
  if (name === undefined || !inventoried.has(name)) return { name, isKnown: true }
  const isNumber = ['ram', 'disk', 'used'].includes(name)
  const known = await find(isNumber ? `${name}>=0` : `${name}:*`, rights)
  return { name, isKnown: isRefusal(known) || known.length > 0 }
}

async function correct(
  where: string,
  term: Term,
  name: string | undefined,
  rights: Rights,
  deps: Deps,
): Promise<Correction | undefined> {
  const { value, at, valueAt, version } = term
  const to = valueAt + value.length + (where[valueAt] === '"' ? 2 : 0)
  const parts = value.split(',').filter(Boolean)
  if (name !== undefined && parts.length > 1)
    return { from: at, to, word: `(${parts.map(part => `${name}:${quoted(part)}`).join(' or ')})` }
  if (version) return undefined
  for (const field of name === undefined ? likelyFields : [name]) {
    const better = await betterValue(where.slice(valueAt), { field, value, hasField: name !== undefined }, rights, deps)
    if (better) return { from: at, to: Math.max(to, valueAt + better.length), word: `${field}:${quoted(better.value)}` }
  }
  return undefined
}

/** `length`: how much of the text it replaces. */
async function betterValue(
  text: string,
  { field, value, hasField }: { field: string; value: string; hasField: boolean },
  rights: Rights,
  { values }: Deps,
): Promise<{ value: string; length: number } | undefined> {
  const read = async (prefix: string) => {
    const read = await values(field, prefix, rights)
    return isRefusal(read) ? [] : read
  }
  const lower = value.toLowerCase().replaceAll('*', '')
  const having = lower === '' ? [] : await read(lower)
  // `room:Room 1` without quotation marks.
  const written = having.find(each => each.includes(' ') && text.toLowerCase().startsWith(each.toLowerCase()))
  if (written !== undefined) return { value: written, length: written.length }
  const same = having.find(each => each.toLowerCase() === lower)
  if (same !== undefined) return hasField ? undefined : { value: same, length: 0 }
  // It has no patterns.
  if (field === 'state') return undefined
  const [first, second] = having
  if (first !== undefined) return { value: second === undefined ? first : commonPattern(having, lower), length: 0 }
  if (!hasField) return undefined
  const others = [...(await read(lower.slice(0, 2))), ...(await read(''))]
  const nearest =
    others.length > 0
      ? closest(
          lower,
          others.map(each => each.toLowerCase()),
        )
      : undefined
  const isNear = nearest !== undefined && distance(lower, nearest) <= Math.ceil(lower.length / 3)
  return isNear ? { value: others.find(each => each.toLowerCase() === nearest) ?? nearest, length: 0 } : undefined
}

function commonPattern(values: readonly string[], part: string): string {
  const isFirst = values.every(value => value.toLowerCase().startsWith(part))
  return isFirst ? `${part}*` : `*${part}*`
}

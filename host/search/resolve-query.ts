// Makes the condition that a store is asked for from a query.
import { closest, distance } from 'fastest-levenshtein'
import type { Where } from '../../stores/store.ts'
import { fields, freeWord } from './fields.ts'
import type { LiveFacts } from './live-facts.ts'
import { type Query, QueryError, type Term } from './parse-query.ts'

/** Rejects with a `QueryError`. */
export async function resolveQuery(query: Query, facts: LiveFacts): Promise<Where> {
  if ('and' in query) return { and: await Promise.all(query.and.map(each => resolveQuery(each, facts))) }
  if ('or' in query) return { or: await Promise.all(query.or.map(each => resolveQuery(each, facts))) }
  if ('not' in query) return { not: await resolveQuery(query.not, facts) }
  if (query.field === undefined) return freeWord(query)
  return fieldOf(query).toWhere(query, facts)
}

/** The words of other tools for the same. */
const synonyms: Readonly<Record<string, string>> = {
  hostname: 'name',
  host: 'name',
  status: 'state',
  lastseen: 'seen',
  last_seen: 'seen',
  memory: 'ram',
  processor: 'cpu',
}

/** The field that is written in its own or another tool's word. */
export const nameOfField = (written: string): string =>
  (Object.hasOwn(synonyms, written) && synonyms[written]) || written

function fieldOf({ field: written = '', at }: Term) {
  const field = nameOfField(written)
  const found = fields[field]
  if (found && Object.hasOwn(fields, field)) return found
  const names = Object.keys(fields)
  const nearest = closest(field, names)
  const hint = distance(nearest, field) <= 2 ? `is ${nearest} meant?` : `there are ${names.join(', ')}`
  throw new QueryError(at, `there is no field ${field}; ${hint}`)
}

// The field `seen` of queries: how long ago a computer's agent was last connected.
import type { Where } from '../../stores/store.ts'
import type { LiveFacts } from './live-facts.ts'
import { QueryError, type Term } from './parse-query.ts'

const unitMinutes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440, w: 10_080 }

/** Of a computer that was never seen it is longer ago than any time. */
export async function seen(term: Term, facts: LiveFacts): Promise<Where> {
  const { operator, value, valueAt, version } = term
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/i.exec(value) ?? []
  if (count === undefined)
    throw new QueryError(valueAt, `seen: expected a time such as 30m, 12h, 7d or 4w, got ${value}`)
  if (operator === ':' || operator === '=' || version)
    throw new QueryError(valueAt, `seen: expected one comparison, < or >`)
  const since = facts.now() - Number(count) * (unitMinutes[unit.toLowerCase()] ?? 0) * 60_000
  const recent = { in: Array.from(await facts.seen(), ([addr, time]) => (time >= since ? addr : '')).filter(Boolean) }
  return operator.startsWith('<') ? recent : { not: recent }
}

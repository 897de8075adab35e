// Which groups a query names, directly or through other groups, and in which order they can be resolved.
import type { Group } from '../../stores/store.ts'
import { parseQuery, type Query, QueryError, type Term } from './parse-query.ts'

/** Groups that name each other one after the other: more than anybody makes. */
const mostNested = 20

/** By its id or its name, without regard to case. */
export function groupNamed(groups: readonly Group[], text: string): Group | undefined {
  const lower = text.toLowerCase()
  return groups.find(({ id, name }) => String(id) === lower || name.toLowerCase() === lower)
}

export function termsOf(query: Query): Term[] {
  if ('and' in query) return query.and.flatMap(termsOf)
  if ('or' in query) return query.or.flatMap(termsOf)
  return 'not' in query ? termsOf(query.not) : [query]
}

/** The query of a group that has one: it was parsed before it was stored. */
export const queryOf = ({ where = '' }: Pick<Group, 'where'>): Query => parseQuery(where)

/**
 * Each group once, after those that it names itself. Throws a `QueryError` for groups that name themselves, or one that is not
 * there; of the terms of `query` itself, which is that of `group`, the fields say that.
 */
export function groupsInOrder(query: Query, groups: readonly Group[], group?: Group): Group[] {
  const ordered = new Set<Group>()
  const visit = (query: Query, path: readonly Group[], place?: number) => {
    for (const { field, value, valueAt } of termsOf(query)) {
      if (field !== 'group') continue
      const at = place ?? valueAt
      const group = groupNamed(groups, value)
      const by = place === undefined ? undefined : path.at(-1)
      if (group === undefined) {
        // Limited callers read this, who do not get the queries of groups.
        if (by) throw new QueryError(at, `group ${by.name} names a group which is not there`)
        continue
      }
      if (path.some(({ id }) => id === group.id)) throw new QueryError(at, `group ${group.name} names itself`)
      if (path.length >= mostNested) throw new QueryError(at, `expected at most ${mostNested} groups in each other`)
      if (ordered.has(group)) continue
      if (group.where !== undefined) visit(queryOf(group), [...path, group], at)
      ordered.add(group)
    }
  }
  visit(query, group ? [group] : [])
  return [...ordered]
}

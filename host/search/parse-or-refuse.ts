// Parses what somebody has written as a query, and refuses what is wrong with it.
import { refuse } from '../contract/refusal.ts'
import type { Refusal } from '../contract/services.ts'
import { parseQuery, type Query, QueryError } from './parse-query.ts'

/** Characters of a query. */
const longestQuery = 4000

/** The result of `work`, or a refusal that names the place in the query. */
export async function parseOrRefuse<Result>(
  where: string,
  work: (query: Query) => Promise<Result> | Result,
): Promise<Result | Refusal> {
  if (where.length > longestQuery)
    return refuse(`where: expected at most ${longestQuery} characters, got ${where.length}`)
  try {
    return await work(parseQuery(where))
  } catch (error) {
    if (error instanceof QueryError) return refuse(`where: at ${error.at + 1}: ${error.message}`)
    throw error
  }
}

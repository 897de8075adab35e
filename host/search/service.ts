// The search service of commands: finds computers by queries.
import type { Store } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { FleetService, Refusal, Rights, SearchService, SessionsService } from '../contract/services.ts'
import type { LiveFacts } from './live-facts.ts'
import { createCompletion } from './offer-values.ts'
import { parseQuery, QueryError } from './parse-query.ts'
import { resolveQuery } from './resolve-query.ts'

interface SearchDeps {
  store: Pick<Store, 'computers'>
  fleet: Pick<FleetService, 'clients'>
  sessions: Pick<SessionsService, 'list'>
  failures: { list: LiveFacts['failures'] }
}

/** Characters of a query. */
const longestQuery = 4000

export function createSearch({ store, fleet, sessions, failures }: SearchDeps): SearchService {
  const facts: LiveFacts = {
    clients: () => fleet.clients(),
    sessions: () => sessions.list(),
    failures: () => failures.list(),
    group: () => undefined,
  }
  return {
    ...createCompletion({ store, facts }),
    async find(where: string, rights: Rights) {
      const condition = await understand(where, async () => resolveQuery(parseQuery(where), facts))
      if (isRefusal(condition)) return condition
      const found = await store.computers.search(condition)
      return rights.isLimited ? found.filter(({ ip }) => rights.hasClient(ip)) : found
    },
  }
}

/** A refusal for a query that is wrong. */
async function understand<Result>(where: string, work: () => Promise<Result>): Promise<Result | Refusal> {
  if (where.length > longestQuery)
    return refuse(`where: expected at most ${longestQuery} characters, got ${where.length}`)
  try {
    return await work()
  } catch (error) {
    if (error instanceof QueryError) return refuse(`where: at ${error.at + 1}: ${error.message}`)
    throw error
  }
}

// The search service of commands: finds computers by queries and groups.
import type { Store } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type {
  FailuresService,
  FleetService,
  Refusal,
  Rights,
  SearchService,
  SessionsService,
} from '../contract/services.ts'
import { describeTargets, namedPlaces } from './describe-targets.ts'
import { explainNothing } from './explain-nothing.ts'
import { createCompletion } from './offer-values.ts'
import { parseOrRefuse } from './parse-or-refuse.ts'
import { type Facts, resolveWithGroups, type SearchedStore } from './resolve-groups.ts'

export interface SearchDeps {
  store: Pick<Store, 'computers' | 'groups' | 'scopes'>
  fleet: Pick<FleetService, 'clients'>
  sessions: Pick<SessionsService, 'list'>
  failures: Pick<FailuresService, 'list'>
  lastSeen: { times: Facts['seen'] }
  clock: { now: Facts['now'] }
}

export function createSearch(deps: SearchDeps): SearchService {
  const { store, fleet, sessions, failures, lastSeen, clock } = deps
  const facts: Facts = {
    clients: () => fleet.clients(),
    sessions: () => sessions.list(),
    failures: async () => (await failures.list()).filter(({ stopped }) => stopped === undefined),
    seen: () => lastSeen.times(),
    now: () => clock.now(),
  }

  async function find(where: string, rights: Rights) {
    const condition = await parseOrRefuse(where, query => resolveWithGroups(query, store, facts))
    if (isRefusal(condition)) return condition
    const found = await store.computers.search(condition)
    return rights.isLimited ? found.filter(({ ip }) => rights.hasClient(ip)) : found
  }

  const completion = createCompletion({ store, facts: { ...facts, group: () => undefined } })
  return {
    ...completion,
    find,
    explain: (where, rights) => explainNothing(where, rights, { find, values: completion.values }),
    async check({ where, group, clients, scope }) {
      const others = [where, group, clients ?? scope].filter(value => value !== undefined)
      if (others.length > 1) return refuse('expected one of where and group, without clients and scope, got more')
      const query = where ?? (group === undefined ? '' : await queryOfGroup(Number(group), store))
      if (isRefusal(query)) return query
      const condition = await parseOrRefuse(String(query), parsed => resolveWithGroups(parsed, store, facts))
      return isRefusal(condition) ? condition : undefined
    },
    async targets({ where, group }, rights) {
      const query = where ?? (await queryOfGroup(group ?? 0, store))
      if (isRefusal(query)) return query
      const found = await find(query, rights)
      if (isRefusal(found)) return found
      return { where: namedPlaces(query, { scopes: await store.scopes(), rights }), clients: found.map(({ ip }) => ip) }
    },
    async describer({ rights }) {
      const [scopes, groups] = await Promise.all([store.scopes(), store.groups.list()])
      return targets => describeTargets(targets, { scopes, groups, rights })
    },
  }
}

async function queryOfGroup(id: number, { groups }: SearchedStore): Promise<string | Refusal> {
  const group = (await groups.list()).find(group => group.id === id)
  return group ? `group:"${group.name}"` : refuse(`group: there is no group ${id}`)
}

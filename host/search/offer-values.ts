// What can be written in queries: the fields with their operators, and the values that there are.
import { mostValues } from '../../stores/rules/search/search-fields.ts'
import { versionOf } from '../../stores/rules/search/versions.ts'
import type { Store, TextCondition, Where } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { Rights, SearchFieldInfo, SearchService } from '../contract/services.ts'
import { fields, states } from './fields.ts'
import { type LiveFacts, noFacts } from './live-facts.ts'
import { type Operator, parseQuery, type Query, QueryError, type Term } from './parse-query.ts'

interface CompletionDeps {
  store: Pick<Store, 'computers' | 'groups'>
  facts: LiveFacts
}

/** Values that no store knows. */
type LiveValues = (facts: LiveFacts, rights: Rights) => readonly string[] | Promise<readonly string[]>

const liveValues: Readonly<Record<string, LiveValues | undefined>> = {
  state: () => states,
  maintenance: () => ['yes', 'no'],
  user: (facts, rights) =>
    facts.sessions().flatMap(({ client, user = '' }) => (user !== '' && rights.hasClient(client) ? user : [])),
  failed: async (facts, rights) =>
    (await facts.failures()).flatMap(({ client, command }) => (rights.hasClient(client) ? command : [])),
}

export function createCompletion({ store, facts }: CompletionDeps): Pick<SearchService, 'fields' | 'values'> {
  let infos: Promise<SearchFieldInfo[]> | undefined
  return {
    fields() {
      infos ??= Promise.all(Object.keys(fields).map(describe))
      return infos
    },
    async values(field, typed, rights) {
      if (!Object.hasOwn(fields, field)) return refuse(`field: there is no field ${field}`)
      const text = typed.toLowerCase().replaceAll('*', '')
      const groups = field === 'group' ? await store.groups.list() : undefined
      const live = groups?.map(({ name }) => name) ?? (await liveValues[field]?.(facts, rights))
      if (live) return offered(live, text)
      const ips = rights.isLimited ? await addressesOf(store, rights) : undefined
      const found: string[] = []
      // Of many that have it somewhere, those are offered that begin with it.
      for (const like of [`*${text}*`, `${text}*`]) {
        const condition = await conditionOf(field, like, facts)
        if (condition) found.push(...(await store.computers.searchValues(condition, ips)))
        if (found.length < mostValues) break
      }
      return offered(field === 'software' ? found.map(withoutVersion) : found, text)
    },
  }
}

const operators: readonly Operator[] = [':', '=', '<', '<=', '>', '>=']

/** There is every group. */
const anyGroup: LiveFacts = { ...noFacts, group: () => ({ or: [] }) }

/** The operators are those that the field takes with the values of its example. */
async function describe(name: string): Promise<SearchFieldInfo> {
  const { about = '', example = '' } = fields[name] ?? {}
  const terms = termsOf(parseQuery(example))
  const isTaken = async (change: Partial<Term>) => {
    const wheres = await Promise.all(terms.map(term => whereOf(name, { ...term, ...change }, anyGroup)))
    return wheres.some(where => where !== undefined)
  }
  const taken = await Promise.all(operators.map(operator => isTaken({ operator })))
  return {
    name,
    about,
    example,
    operators: operators.filter((_, at) => taken[at]),
    hasVersion: await isTaken({ operator: ':', version: { operator: '=', value: '1' } }),
  }
}

function termsOf(query: Query): Term[] {
  if ('and' in query) return query.and.flatMap(termsOf)
  return 'at' in query ? [query] : []
}

/** Each once, without regard to case, those first that begin with the text. */
function offered(values: readonly string[], text: string): string[] {
  const byLower = new Map<string, string>()
  for (const value of values) {
    const lower = value.toLowerCase()
    if (lower.includes(text) && !byLower.has(lower)) byLower.set(lower, value)
  }
  const isFirst = (lower: string) => Number(!lower.startsWith(text))
  const sorted = [...byLower].sort(([a], [b]) => isFirst(a) - isFirst(b) || (a < b ? -1 : 1))
  return sorted.slice(0, mostValues).map(([, value]) => value)
}

async function addressesOf(store: CompletionDeps['store'], rights: Rights): Promise<string[]> {
  const all = await store.computers.search({ and: [] })
  return all.flatMap(({ ip }) => (rights.hasClient(ip) ? ip : []))
}

/** What a term of the field asks the store for; undefined for numbers and for what only the host knows. */
async function conditionOf(field: string, like: string, facts: LiveFacts): Promise<TextCondition | undefined> {
  const where = await whereOf(field, { operator: ':', value: like, at: 0, valueAt: 0 }, facts)
  return where && ('text' in where || 'program' in where || 'device' in where) ? where : undefined
}

/** Undefined for a value or an operator that the field cannot have. */
async function whereOf(field: string, term: Term, facts: LiveFacts): Promise<Where | undefined> {
  try {
    return await fields[field]?.toWhere({ ...term, field }, facts)
  } catch (error) {
    if (error instanceof QueryError) return undefined
    throw error
  }
}

/** `Blender 3.6.2` as `Blender`: a version is asked for behind it. */
function withoutVersion(line: string): string {
  const version = versionOf(line)
  const name = version === undefined ? line : line.slice(0, line.lastIndexOf(version)).replace(/[ (]v?$/i, '')
  return name.trim() || line
}

// Reads what has changed in the inventories of computers: of one, or those of many that have a text.
import type { Store } from '../../../stores/store.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { HistoryAnswer, HistoryRequest, InventoryChange, Rights, SearchService } from '../../contract/services.ts'
import { historyCollection, type InventoryHistory, toInventoryChange } from '../../store/inventory-history.ts'
import { slices } from '../../system/request-slices.ts'

export interface HistoryDeps {
  store: Pick<Store, 'computers' | 'documents'>
  search: Pick<SearchService, 'find'>
}

const documentsAtOnce = 200

export async function readHistory({ store }: HistoryDeps, client: string, request: HistoryRequest) {
  const id = (await store.computers.find(client))?.id
  const document = await store.documents.find({ ...historyCollection, key: String(id) })
  const { since, changes }: Partial<InventoryHistory> = document ? JSON.parse(document.value) : {}
  const answer: HistoryAnswer = {
    since: Object.fromEntries(Object.entries(since ?? {}).map(([kind, time]) => [kind, new Date(time).toISOString()])),
    changes: (changes ?? []).reverse().flatMap(change => limitNames(toInventoryChange(change), request)),
  }
  return answer
}

/** The time of a change and the id of its computer: those after a place of the list are older. */
type Place = readonly [time: number, id: number]

export async function findChanges({ store, search }: HistoryDeps, request: HistoryRequest, rights: Rights) {
  const { where = '', limit = '100', after } = request
  const computers = await search.find(where, rights)
  if (isRefusal(computers)) return computers
  const addresses = new Map(computers.map(({ id, ip }) => [String(id), ip]))
  const [time = Number.POSITIVE_INFINITY, last = 0] = after?.split('/').map(Number) ?? []
  const found: { place: Place; client: string; change: InventoryChange }[] = []
  for await (const { key, value } of histories(store)) {
    const client = addresses.get(key)
    if (client === undefined) continue
    const { changes }: InventoryHistory = JSON.parse(value)
    for (const stored of changes) {
      const place: Place = [stored.time, Number(key)]
      if (compareNewest(place, [time, last]) <= 0) continue
      for (const change of limitNames(toInventoryChange(stored), request)) found.push({ place, client, change })
    }
  }
  const sorted = await slices.sort(found, (one, other) => compareNewest(one.place, other.place))
  const page = sorted.slice(0, Number(limit))
  const records = await store.computers.findMany([...new Set(page.map(({ client }) => client))])
  const names = new Map(records.map(({ ip, name }) => [ip, name]))
  return {
    changes: page.map(({ client, change }) => ({ client, name: names.get(client) ?? '', ...change })),
    ...(page.length < sorted.length && { next: page.at(-1)?.place.join('/') }),
  }
}

const compareNewest = ([time, id]: Place, [otherTime, otherId]: Place): number => otherTime - time || id - otherId

async function* histories({ documents }: HistoryDeps['store']) {
  for (let after: string | undefined = ''; after !== undefined; ) {
    await slices.pause()
    const page = await documents.list(historyCollection, { after, limit: documentsAtOnce })
    yield* page
    after = page.length < documentsAtOnce ? undefined : page.at(-1)?.key
  }
}

/** Nothing when it has no such name, or is of another kind. */
function limitNames(change: InventoryChange, { search, kind }: HistoryRequest): InventoryChange[] {
  if (kind !== undefined && kind !== change.kind) return []
  if (search === undefined) return [change]
  const text = search.toLowerCase()
  const having = (names: string[]) => names.filter(name => name.toLowerCase().includes(text))
  const { added_total: _added, removed_total: _removed, ...rest } = change
  const [added, removed] = [having(change.added), having(change.removed)]
  return added.length + removed.length > 0 ? [{ ...rest, added, removed }] : []
}

// Random calls of a pack's collection have the results of a small model, and of two edits at once one succeeds.
import fc from 'fast-check'
import { equal, is } from 'uvu/assert'
import type { Collection } from '../../host/contract/pack.ts'
import { createCollections } from '../../host/modules/packs/collections.ts'
import type { Documents, Store } from '../../stores/store.ts'
import type { Rule } from '../conformance/rule.ts'
import { conformance } from '../conformance/stores.ts'
import { type Call, checkModel, checkRandom } from '../harness/random-runs.ts'

export const runs = { seconds: 5, postgres: true }

/** Each sequence has a pack of its own. */
let packs = 0

function openCollection(documents: Documents): Collection {
  packs += 1
  const pack = { name: `notes-${packs}`, checkDocuments: new Map([['days', () => undefined]]), declared: {} }
  const secrets = { encrypt: String, decrypt: String }
  // `as`: this collection has no secrets.
  const deps = { documents, limits: { collection_bytes: 1_000_000 }, secrets } as never
  // `as`: nothing else of a pack is read.
  const { days } = createCollections(pack as never, deps)
  if (!days) throw new Error('expected a collection, got none')
  return days
}

interface Model {
  collection: Collection
  documents: Map<string, { value: number; version: number }>
}

/** The version that a writer has read, or another one. */
const read = fc.constantFrom('none', 'current', 'older', 'zero')

function versionOf(documents: Model['documents'], key: string, kind: string): { version?: number } {
  const { version = 0 } = documents.get(key) ?? {}
  return kind === 'none' ? {} : { version: kind === 'current' ? version : kind === 'zero' ? 0 : version - 1 }
}

const calls: fc.Arbitrary<Call<Model>> = fc
  .record({ key: fc.constantFrom('a', 'b', 'ab'), value: fc.nat(9), kind: read, deletes: fc.boolean() })
  .map(({ key, value, kind, deletes }) => ({
    name: `${deletes ? 'delete' : `put ${value}`} ${key}, version ${kind}`,
    async run({ collection, documents }) {
      const before = documents.get(key)
      const condition = versionOf(documents, key, kind)
      const isMet = condition.version === undefined || condition.version === (before?.version ?? 0)
      if (deletes) {
        is(await collection.delete(key, condition), before !== undefined && isMet)
        if (isMet) documents.delete(key)
        return
      }
      const version = (before?.version ?? 0) + 1
      is(await collection.put(key, value, condition), isMet ? version : undefined)
      if (isMet) documents.set(key, { value, version })
    },
  }))

async function compare({ collection, documents }: Model): Promise<void> {
  const sorted = [...documents].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, document]) => ({ key, ...document }))
  equal(await collection.list(), sorted)
  equal(
    await collection.list({ prefix: 'a', after: 'a', limit: 1 }),
    sorted.filter(({ key }) => key === 'ab'),
  )
  equal(
    await collection.get('a'),
    sorted.find(({ key }) => key === 'a'),
  )
}

/** Writers who read a document, and put what they have made of it unless somebody else was faster. */
async function count(scheduler: fc.Scheduler, store: Store): Promise<void> {
  const { find, put } = store.documents
  const collection = openCollection({
    ...store.documents,
    find: scheduler.scheduleFunction(key => find(key)),
    put: scheduler.scheduleFunction((document, condition) => put(document, condition)),
  })
  const add = async () => {
    const { value = 0, version = 0 } = (await collection.get('count')) ?? {}
    return collection.put('count', Number(value) + 1, { version })
  }
  const adding = Promise.all([add(), add(), add()])
  await scheduler.waitFor(adding)
  const done = (await adding).filter(version => version !== undefined)
  const stored = await scheduler.waitFor(collection.get('count'))
  equal([stored?.value, stored?.version], [done.length, done.length])
}

function collections(rule: Rule): void {
  rule('what is put, deleted and listed is that of the model', store =>
    checkModel<Model>(
      { calls, create: () => ({ collection: openCollection(store.documents), documents: new Map() }), compare },
      20,
    ),
  )

  rule('of several writers who have read the same version one succeeds', store =>
    checkRandom(
      fc.asyncProperty(fc.scheduler(), scheduler => count(scheduler, store)),
      20,
    ),
  )
}

conformance({ collections })

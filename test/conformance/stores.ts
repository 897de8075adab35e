// The stores that the rules are checked with: `memory` and `lowdb`, or the one that the runner's `--store` names.
import { fileURLToPath } from 'node:url'
import open from '../../stores/memory/index.ts'
import type { OpenStore, StoreLimits, StoreOptions } from '../../stores/store.ts'
import { dropStoreOf, storeOptionsFor, usesPostgres } from '../harness/default-store.ts'
import { newFolder, openIn, silent } from '../harness/store-folders.ts'
import { type OpenedStore, type PersistentStore, type Sections, suites } from './rule.ts'

type Open<Opened> = (limits?: StoreLimits) => Promise<Opened>

async function openMemory(limits?: StoreLimits): Promise<OpenedStore> {
  const store = await open({ adapter: 'memory', path: '' }, silent, limits)
  return { store, remove: () => store.close() }
}

/** So that kills also interrupt snapshots, and outputs are in several files. */
const smallJournals = { journal_bytes: 50_000 }

const openLowdb = async (limits?: StoreLimits): Promise<OpenedStore> =>
  openIn(await newFolder(), limits && smallJournals, silent, limits)

let opened = 0

/** With `keeps` the schema is not used again. */
async function openPostgres(limits?: StoreLimits, keeps = false): Promise<PersistentStore> {
  opened += 1
  const name = `rules ${opened}`
  const adapter = fileURLToPath(new URL('../../stores/postgres/index.ts', import.meta.url))
  const { default: open }: { default: OpenStore } = await import('../../stores/postgres/index.ts')
  // `as`: they are options of this adapter.
  const options = { ...(storeOptionsFor(name) as StoreOptions), path: '' }
  const persistent = {
    adapter,
    options,
    store: await open(options, silent, limits),
    async reopen() {
      await persistent.store.close()
      persistent.store = await open(options, silent, limits)
      return persistent.store
    },
    async remove() {
      await persistent.store.close()
      if (!keeps) await dropStoreOf(name)
    },
  }
  return persistent
}

const stores: Record<string, Open<OpenedStore>> = usesPostgres
  ? { postgres: limits => openPostgres(limits) }
  : { memory: openMemory, lowdb: openLowdb }

/** Checks the sections with each store; their names are the titles of suites. */
export function conformance(sections: Sections<OpenedStore>, limits?: StoreLimits): void {
  for (const [name, open] of Object.entries(stores)) suites(name, sections, () => open(limits)).run()
}

/** The same with each store whose data stay when its process ends. */
export function durability(sections: Sections<PersistentStore>): void {
  if (!usesPostgres) suites('lowdb', sections, async () => openIn(await newFolder(), smallJournals)).run()
  // Statements of a killed process may come late to a schema.
  else suites('postgres', sections, () => openPostgres(undefined, true)).run()
}

// The tasks of `fleet store`, on the files of a store and through its adapter.
import { resolve } from 'node:path'
import type { Entry, Finding, Store, StoreLimits, StoreOptions } from '../../../stores/store.ts'
import type { Log } from '../../log/log.ts'
import { describeStore, loadAdapter } from '../../store/open-store.ts'
import { usageError } from '../cli-error.ts'
import { readBackup, writeBackup } from './backup-file.ts'

export interface TaskDeps {
  store: StoreOptions
  limits: StoreLimits
  log: Log
  print(line: string): void
  warn(line: string): void
}

export async function backup(deps: TaskDeps, file: string): Promise<void> {
  const store = { ...deps.store, readonly: true }
  const count = await withStore(store, deps, source => writeBackup(file, source.backup.dump()))
  deps.print(`${count} entries are in ${file}`)
}

export async function restore(deps: TaskDeps, file: string, force: boolean): Promise<void> {
  await fill(deps.store, deps, force, target => target.backup.load(readBackup(file)))
  deps.print(`${file} is restored`)
}

/** Resolves to false when damage was found. */
export async function check({ store, print }: TaskDeps): Promise<boolean> {
  const { check } = await loadAdapter(store)
  if (!check) throw new Error(`store.adapter: expected an adapter that keeps its data, got ${store.adapter}`)
  return printFindings(await check(store), print)
}

/** Resolves to false when damage was found. */
export async function repair({ store, print }: TaskDeps): Promise<boolean> {
  const { repair } = await loadAdapter(store)
  if (!repair) throw new Error(`store.adapter: expected an adapter with files, got ${store.adapter}`)
  return printFindings(await repair(store), print)
}

function printFindings(findings: Finding[], print: TaskDeps['print']): boolean {
  for (const { ok, message } of findings) print(`${ok ? 'good' : 'BAD '}  ${message}`)
  return findings.every(({ ok }) => ok)
}

/** `from` and `to`: see `parseStoreAddress`. Without `from` the store of the options is copied. */
export async function copy(
  deps: TaskDeps,
  { from, to, force }: { from: string | undefined; to: string; force: boolean },
): Promise<void> {
  const store = from === undefined ? deps.store : parseStoreAddress('--from', from)
  const targetOptions = parseStoreAddress('--to', to)
  const counts = new Map<string, number>()
  await withStore({ ...store, readonly: true }, deps, async source => {
    await warnOfUser(store, deps)
    await fill(targetOptions, deps, force, target => target.backup.load(counted(source.backup.dump(), counts)))
  })
  const rows = Array.from(counts, ([collection, count]) => `${count} ${collection}`).join(', ')
  deps.print(`copied: ${await describeStore(store)}, to ${await describeStore(targetOptions)}: ${rows || 'no rows'}`)
}

async function warnOfUser(store: StoreOptions, { warn }: TaskDeps): Promise<void> {
  const { usedBy } = await loadAdapter(store)
  const user = await usedBy?.(store)
  if (user === undefined) return
  const advice = 'stop it, and copy again with --force, before another daemon uses the copy'
  warn(`${await describeStore(store)} is in use by ${user}: its writes from now on are not in the copy; ${advice}`)
}

/** Counts the rows by collection, without the last ids. */
async function* counted(entries: AsyncIterable<Entry>, counts: Map<string, number>): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    const [collection, row] = entry
    const count = typeof row === 'number' ? 0 : 'parts' in row ? row.parts.length : 1
    if (count > 0) counts.set(collection, count + (counts.get(collection) ?? 0))
    yield entry
  }
}

/** Calls `work` with a store that is empty, or may be replaced. */
const fill = (options: StoreOptions, deps: TaskDeps, force: boolean, work: (store: Store) => Promise<void>) =>
  withStore(options, deps, async target => {
    if (!force && !(await target.backup.isEmpty()))
      throw new Error(`store ${await describeStore(options)}: not empty; --force replaces everything in it`)
    await work(target)
  })

async function withStore<Result>(
  options: StoreOptions,
  { log, limits }: TaskDeps,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { default: open } = await loadAdapter(options)
  const store = await open(options, log, limits)
  return work(store).finally(() => store.close())
}

const forms = `lowdb:./folder, postgres://user@host/database or {"adapter": "lowdb", "path": "./folder"}`

/**
 * A store on the command line, in one of these forms. `option` is for messages. Paths are relative to the working
 * directory.
 */
function parseStoreAddress(option: string, text: string): StoreOptions {
  const [, adapter = '', address = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? []
  if (adapter === 'lowdb' && address !== '') return { adapter, path: resolve(address) }
  // A URL says by itself that it is one of PostgreSQL.
  const url = adapter === 'postgres' && !address.startsWith('//') ? address : text
  if (/^postgres(ql)?:\/\//.test(url)) return { adapter: 'postgres', url, path: resolve('data') }
  try {
    // As the section `store` of the options file.
    const { path = 'data', ...options }: Partial<StoreOptions> = JSON.parse(text.startsWith('{') ? text : '')
    return { adapter: 'lowdb', ...options, path: resolve(path) }
  } catch {
    throw usageError(`${option}: expected ${forms}, got ${text}`)
  }
}

// The tasks of `fleet store`, on the files of a store and through its adapter.
import { resolve } from 'node:path'
import type { Finding, Store, StoreLimits, StoreOptions } from '../../../stores/store.ts'
import type { Log } from '../../log/log.ts'
import { describeStore, loadAdapter } from '../../store/open-store.ts'
import { usageError } from '../cli-error.ts'
import { readBackup, writeBackup } from './backup-file.ts'

export interface TaskDeps {
  store: StoreOptions
  limits: StoreLimits
  log: Log
}

/** `lines` are for standard output; `ok` is false when damage was found. */
export interface TaskResult {
  lines: string[]
  ok: boolean
}

export async function backup(deps: TaskDeps, file: string): Promise<TaskResult> {
  const store = { ...deps.store, readonly: true }
  const count = await withStore(store, deps, source => writeBackup(file, source.backup.dump()))
  return { lines: [`${count} entries are in ${file}`], ok: true }
}

export async function restore(deps: TaskDeps, file: string, force: boolean): Promise<TaskResult> {
  const { store } = deps
  await withStore(store, deps, async target => {
    await requireEmpty(target, store, force)
    await target.backup.load(readBackup(file))
  })
  return { lines: [`${file} is restored`], ok: true }
}

export async function check({ store }: TaskDeps): Promise<TaskResult> {
  const { check } = await loadAdapter(store)
  if (!check) throw new Error(`store.adapter: expected an adapter that keeps its data, got ${store.adapter}`)
  return toResult(await check(store))
}

export async function repair({ store }: TaskDeps): Promise<TaskResult> {
  const { repair } = await loadAdapter(store)
  if (!repair) throw new Error(`store.adapter: expected an adapter with files, got ${store.adapter}`)
  return toResult(await repair(store))
}

/** `from` and `to`: see `parseStoreAddress`. Without `from` the store of the options is copied. */
export async function copy(
  deps: TaskDeps,
  { from, to, force }: { from?: string | undefined; to: string; force: boolean },
): Promise<TaskResult> {
  const store = from === undefined ? deps.store : parseStoreAddress('--from', from)
  const targetOptions = parseStoreAddress('--to', to)
  await withStore({ ...store, readonly: true }, deps, source =>
    withStore(targetOptions, deps, async target => {
      await requireEmpty(target, targetOptions, force)
      await target.backup.load(source.backup.dump())
    }),
  )
  const [source, target] = [await describeStore(store), await describeStore(targetOptions)]
  return { lines: [`copied: ${source}, to ${target}`], ok: true }
}

const toResult = (findings: Finding[]): TaskResult => ({
  lines: findings.map(({ ok, message }) => `${ok ? 'good' : 'BAD '}  ${message}`),
  ok: findings.every(({ ok }) => ok),
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

async function requireEmpty(store: Store, options: StoreOptions, force: boolean): Promise<void> {
  if (force || (await store.backup.isEmpty())) return
  throw new Error(`store ${await describeStore(options)}: not empty; --force replaces everything in it`)
}

const forms = `lowdb:./folder, postgres://user@host/database or {"adapter": "lowdb", "path": "./folder"}`

/** A store on the command line: `adapter:place`, or the JSON of its section of the options file. `option` is for messages. Paths are relative to the working directory. */
function parseStoreAddress(option: string, text: string): StoreOptions {
  const [, adapter = '', place = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? []
  if (text.startsWith('{')) return parseOptions(option, text)
  if (adapter === 'lowdb' && place !== '') return { adapter, path: resolve(place) }
  // A URL says by itself that it is one of PostgreSQL.
  const url = adapter === 'postgres' && !place.startsWith('//') ? place : text
  if (/^postgres(ql)?:\/\//.test(url)) return { adapter: 'postgres', url, path: resolve('data') }
  throw usageError(`${option}: expected ${forms}, got ${text}`)
}

/** As the section `store` of the options file. */
function parseOptions(option: string, text: string): StoreOptions {
  try {
    const { path = 'data', ...options }: Partial<StoreOptions> = JSON.parse(text)
    return { adapter: 'lowdb', ...options, path: resolve(path) }
  } catch {
    throw usageError(`${option}: expected ${forms}, got ${text}`)
  }
}

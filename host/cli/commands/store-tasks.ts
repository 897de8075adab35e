// The tasks of `fleet store`, on the files of a store and through its adapter.
import { resolve } from 'node:path'
import type { Finding, Store, StoreLimits, StoreOptions } from '../../../stores/store.ts'
import { loadAdapter } from '../../config/open-store.ts'
import type { Log } from '../../system/log.ts'
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
  return toResult(await (await loadMaintenance(store)).check(store))
}

export async function repair({ store }: TaskDeps): Promise<TaskResult> {
  return toResult(await (await loadMaintenance(store)).repair(store))
}

/** `to` is the JSON of the other store's options. */
export async function copy(deps: TaskDeps, to: string, force: boolean): Promise<TaskResult> {
  const { store } = deps
  const targetOptions = parseStoreOptions(to)
  await withStore({ ...store, readonly: true }, deps, source =>
    withStore(targetOptions, deps, async target => {
      await requireEmpty(target, targetOptions, force)
      await target.backup.load(source.backup.dump())
    }),
  )
  const { adapter, path } = targetOptions
  return { lines: [`all of ${store.adapter} ${store.path} is in ${adapter} ${path}`], ok: true }
}

const toResult = (findings: Finding[]): TaskResult => ({
  lines: findings.map(({ ok, message }) => `${ok ? 'good' : 'BAD '}  ${message}`),
  ok: findings.every(({ ok }) => ok),
})

/** As the section `store` of the options file, but `path` is relative to the working directory. */
function parseStoreOptions(text: string): StoreOptions {
  try {
    const { path = 'data', ...options }: Partial<StoreOptions> = JSON.parse(text)
    return { adapter: 'lowdb', ...options, path: resolve(path) }
  } catch {
    throw usageError(`--to: expected {"adapter": "lowdb", "path": "./other"}, got ${text}`)
  }
}

async function withStore<Result>(
  options: StoreOptions,
  { log, limits }: TaskDeps,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { default: open } = await loadAdapter(options)
  const store = await open(options, log, limits)
  return work(store).finally(() => store.close())
}

async function requireEmpty(store: Store, { path }: StoreOptions, force: boolean): Promise<void> {
  if (force || (await store.backup.isEmpty())) return
  throw new Error(`the store in ${path} is not empty; --force replaces everything in it`)
}

async function loadMaintenance(store: StoreOptions) {
  const { check, repair } = await loadAdapter(store)
  if (!check || !repair) throw new Error(`store.adapter: expected an adapter with files, got ${store.adapter}`)
  return { check, repair }
}

// Creates temporary folders with stores of the adapter `lowdb` in them.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Folder } from '../../stores/lowdb/adapter.ts'
import open from '../../stores/lowdb/index.ts'
import type { StoreLimits, StoreLog } from '../../stores/store.ts'
import type { PersistentStore } from '../conformance/rule.ts'

export const silent: StoreLog = { info() {}, warn() {} }

/** Path of the adapter's file. */
export const lowdb = fileURLToPath(new URL('../../stores/lowdb/index.ts', import.meta.url))

export const newFolder = () => mkdtemp(join(tmpdir(), 'store-'))

/** Opens a store in a folder; removing the store removes the folder. */
export async function openIn(
  path: string,
  ownOptions: object = {},
  log = silent,
  limits?: StoreLimits,
): Promise<PersistentStore> {
  const options = { adapter: 'lowdb', path, ...ownOptions }
  const opened = {
    adapter: lowdb,
    options,
    store: await open(options, log, limits),
    async reopen() {
      await opened.store.close()
      opened.store = await open(options, log, limits)
      return opened.store
    },
    async remove() {
      await opened.store.close()
      await rm(path, { recursive: true })
    },
  }
  return opened
}

/** Takes a snapshot of a closed store and waits until it is complete. */
export async function takeSnapshot(path: string): Promise<void> {
  const folder = new Folder({ adapter: 'lowdb', path }, silent)
  await folder.write(await folder.read())
  await folder.close()
}

/** The texts of a folder's files by name, except the lock. */
export async function contents(path: string): Promise<Map<string, string>> {
  const names = (await readdir(path)).filter(name => name !== 'lock').sort()
  const texts = names.map(async name => [name, await readFile(join(path, name), 'latin1')] as const)
  return new Map(await Promise.all(texts))
}

/** The message of a rejection. */
export const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no failure',
    error => (error instanceof Error ? error.message : String(error)),
  )

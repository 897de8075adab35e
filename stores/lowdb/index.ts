// The embedded store: a lowdb database in a folder, every write on disk before it is acknowledged.
import { Low } from 'lowdb'
import { refuseUnknownKeys } from '../check-options.ts'
import { records } from '../memory/store.ts'
import { createTables } from '../memory/tables/tables.ts'
import type { OpenStore, Store, StoreLog, StoreOptions } from '../store.ts'
import { Folder } from './adapter.ts'
import { inOneLine, makeFolder } from './files.ts'
import { lock } from './lock.ts'
import { readBeside, refuse } from './read-only.ts'

export { check, repair } from './maintenance.ts'

const open: OpenStore = async (options, log) => {
  const { path, readonly } = options
  refuseUnknownKeys(options, ['journal_bytes'])
  try {
    if (readonly) return { ...records(await readBeside(path), refuse), async close() {} }
    await makeFolder(path)
    const unlock = await lock(path)
    return await openLocked(options, log, unlock).catch(async error => {
      await unlock()
      throw error
    })
  } catch (error) {
    throw inOneLine(path, error)
  }
}

export default open

async function openLocked(options: StoreOptions, log: StoreLog, unlock: () => Promise<void>): Promise<Store> {
  const folder = new Folder(options, log)
  const database = new Low(folder, createTables())
  await database.read()
  const store = records(database.data, edit => {
    const kept = folder.append(edit)
    if (folder.due) database.write().catch(error => log.warn('store', `no snapshot was taken: ${error.message}`))
    return kept
  })
  const close = async () => {
    await folder.close()
    await unlock()
  }
  return { ...store, close }
}

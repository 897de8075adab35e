// The adapter `lowdb`, the embedded store: a folder with every write on disk before it is acknowledged.
import { Low } from 'lowdb'
import { refuseUnknownKeys } from '../check-options.ts'
import { createStore } from '../memory/store.ts'
import { createTables } from '../memory/tables/tables.ts'
import type { Description, OpenStore, Store, StoreLog, StoreOptions } from '../store.ts'
import { Folder, type FolderDeps } from './adapter.ts'
import { restrictAccess } from './file-modes.ts'
import { describeFileError, makeFolder } from './files.ts'
import { findOwner, lock } from './lock.ts'
import { openReadOnly } from './read-only.ts'

export { check, repair } from './journal/maintenance.ts'

export const usedBy: Description['usedBy'] = ({ path }) => findOwner(path)

const open: OpenStore = async (options, log, limits) => {
  const { path, readonly } = options
  refuseUnknownKeys(options, ['journal_bytes'])
  try {
    if (readonly) return await openReadOnly(path, log)
    await makeFolder(path)
    const folderLock = await lock(path)
    await restrictAccess(path, log)
    return await openLocked(options, log, { lock: folderLock, limits }).catch(async error => {
      await folderLock.release()
      throw error
    })
  } catch (error) {
    throw describeFileError(path, error)
  }
}

export default open

async function openLocked(options: StoreOptions, log: StoreLog, deps: FolderDeps): Promise<Store> {
  const folder = new Folder(options, log, deps)
  const database = new Low(folder, createTables())
  await database.read()
  const store = createStore(database.data, folder.outputs, transaction => {
    const appended = folder.append(transaction)
    if (folder.isSnapshotDue) {
      database.write().catch(error => log.warn('store', `could not take a snapshot: ${error.message}`))
    }
    return appended
  })
  const close = async () => {
    await folder.close()
    await deps.lock?.release()
  }
  return { ...store, close }
}

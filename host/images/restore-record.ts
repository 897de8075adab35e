// The record of a deleted image, stored again; and the repositories that are in this server's folder.
import type { Image, Store } from '../../stores/store.ts'
import type { RepositoryService } from '../contract/services.ts'
import type { Clock } from '../system/clock.ts'

export interface RecordDeps {
  store: Pick<Store, 'images' | 'repositories' | 'undo'>
  /** A repository of another address is not in this folder. */
  repository: Pick<RepositoryService, 'address'>
  clock: Clock
}

/** Under its id where that is possible. Undefined when another one has its name. */
export async function restoreRecord(image: Image, { store, clock }: RecordDeps): Promise<number | undefined> {
  const { id, name } = image
  const kept = (await store.undo.list()).find(({ kind, record }) => kind === 'image' && record === id)
  // One that is there already was restored when the daemon ended before its file came back.
  const isThere = kept
    ? 'item' in ((await store.undo.apply(kept.id, clock.now())) ?? {})
    : (await store.images.findById(id))?.name === name
  // The list of its software is gone then, and its repository may be.
  return isThere ? id : store.images.add({ ...image, software_id: 0, repo_id: 1 })
}

/** The ids of those whose images have their files in the folder. */
export async function localRepositories({ store, repository }: RecordDeps): Promise<number[]> {
  const repositories = await store.repositories.list()
  return repositories.flatMap(({ id, ip }) => (ip === '' || ip === repository.address ? id : []))
}

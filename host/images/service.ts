// Image records as image commands need them, between the store, the repository's files and what runs.

import type { Store } from '../../stores/store.ts'
import type { FleetService, ImagesService, RepositoryService } from '../services.ts'

export interface ImagesDeps {
  store: Store
  fleet: FleetService
  repository: RepositoryService
}

/** The type of every image that is created here. */
const monolithic = 1

export function createImages({ store, fleet, repository }: ImagesDeps): ImagesService {
  const repositories = async () =>
    (await store.repositories.list()).map(({ id, ip }) => ({ id, address: ip || repository.address }))
  const isRunning = (by: string, name: string) =>
    fleet
      .running()
      .some(({ command, sent }) => command === by && sent instanceof Object && 'name' in sent && sent.name === name)

  return {
    async addressOf(wanted) {
      return (await repositories()).find(({ id }) => id === wanted)?.address
    },
    async reserve(by, { name, description, repository: at, group_id = 0, center_id = 0 }) {
      const repo_id = (await repositories()).find(({ address }) => address === at)?.id ?? 1
      const id = await store.images.add({
        ...{ name, description, repo_id, type: monolithic, group_id, center_id },
        ...{ datasize: 0, software_id: 0, clonator: '', compressor: '', filesystem: '' },
      })
      if (id !== undefined) return id
      // The create that stored it may have failed: then it can be repeated.
      if ((await repository.file(name)) || isRunning(by, name)) return undefined
      return (await store.images.find(name))?.id
    },
  }
}

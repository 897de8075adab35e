// The images service: records, files and repositories of images.
import type { Store } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { FleetService, ImagesService, RepositoryService } from '../contract/services.ts'
import { createStats } from './image-copies.ts'
import { createImageFiles, type ImageFiles, type ImageFilesDeps } from './image-files.ts'
import { checkOwner } from './image-owner.ts'
import type { PartProgressList } from './part-progress.ts'

export interface ImagesDeps extends ImageFilesDeps {
  store: Pick<Store, 'repositories' | 'images'>
  fleet: Pick<FleetService, 'running'>
  repository: RepositoryService
  progress: PartProgressList
}

export type Images = ImagesService & Pick<ImageFiles, 'close'>

/** The type id of the images that this daemon creates. */
const monolithic = 1

export function createImages(deps: ImagesDeps): Images {
  const { store, fleet, repository, progress } = deps
  const repositories = async () =>
    (await store.repositories.list()).map(({ id, ip }) => ({ id, address: ip || repository.address }))
  const idOf = async (address: string) => (await repositories()).find(each => each.address === address)?.id ?? 1
  const isRunning = (createCommand: string, name: string) =>
    fleet
      .running()
      .some(
        ({ command, payload }) =>
          command === createCommand && payload instanceof Object && 'name' in payload && payload.name === name,
      )

  const images: Images = {
    ...repository,
    ...createImageFiles(deps),
    idOf,
    stats: createStats(store),
    progressOf: job => progress.of(job),
    checkOwner: (payload, rights) => checkOwner(payload, rights, { store, images }),

    async addressOf(repositoryId) {
      return (await repositories()).find(({ id }) => id === repositoryId)?.address
    },
    async checkIdentity({ name, id }, found) {
      const image = Number.isSafeInteger(Number(id)) ? await store.images.findById(Number(id)) : undefined
      // An id without a record, as 0, says nothing: the image is that of the name.
      if (!image || found?.id === image.id) return undefined
      return refuse(`name: expected ${image.name}, which is the name of image ${id}, got ${name}`)
    },
    async reserve(createCommand, image) {
      const { name } = image
      // Also without a record: a create that succeeds writes into the record of the name.
      if (isRunning(createCommand, name)) return undefined
      const id = await store.images.add({
        name,
        description: image.description,
        repo_id: await idOf(image.repository),
        type: monolithic,
        group_id: image.group_id ?? 0,
        center_id: image.room_id === undefined ? (image.center_id ?? 0) : 0,
        ...(image.room_id !== undefined && { room_id: image.room_id }),
        datasize: 0,
        software_id: 0,
        clonator: '',
        compressor: '',
        filesystem: '',
      })
      if (id !== undefined) return id
      // A record without a file is left by a create that failed, which may be repeated.
      if (await repository.file(name)) return undefined
      return (await store.images.find(name))?.id
    },
  }
  return images
}

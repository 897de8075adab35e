// The images service: records, files and repositories of images; and what jobs need to know of images.
import { isUnfinished } from '../../stores/rules/part-states.ts'
import type { Image, Store } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import { serverAddress } from '../config/server-address.ts'
import { refuse } from '../contract/refusal.ts'
import type {
  CreationTarget,
  FleetService,
  ImagesService,
  Refusal,
  RepositoryService,
  Rights,
} from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { perTick } from '../system/time-slices.ts'
import { createStats } from './image-copies.ts'
import { createImageFiles, type ImageFiles, type ImageFilesDeps } from './image-files.ts'
import { openRepository, parseVersion } from './image-folder.ts'
import { createImagingWatch } from './imaging-watch.ts'
import { PartProgressList } from './part-progress.ts'
import { RepositorySlots } from './repository-slots.ts'
import { Transfers } from './transfer/transfers.ts'

interface ImagingDeps {
  options: Options
  store: Store
  events: Events
  log: Log
  /** Absent in a daemon that runs alone. */
  cluster?: { key(): { name: string } } | undefined
}

export type Imaging = ReturnType<typeof createImaging>

/** `sessions`: of the clients of this host. */
export function createImaging(deps: ImagingDeps, sessions: { has(addr: string): boolean }) {
  const { options, store, events, log, cluster } = deps
  const repository = openRepository(options.repository.directory, serverAddress(options))
  const slots = new RepositorySlots({ store, repository, events, log })
  const transfers = new Transfers({
    options,
    log,
    address: repository.address,
    host: cluster?.key().name,
    async queueOf({ job: { id }, index }) {
      const [counts, job] = await Promise.all([store.jobs.countComputers(id), store.jobs.find(id)])
      // Also those that are in a step before.
      const queued = counts.filter(({ step, state }) =>
        step < index ? isUnfinished({ state }) : step === index && state === 'queued',
      )
      const limits = [slots.of(repository.address), job?.conditions?.batch ?? 0].filter(limit => limit > 0)
      return { queued: queued.reduce((sum, { count }) => sum + count, 0), most: Math.min(...limits) }
    },
    nameOf: async addr => (await store.computers.find(addr))?.name,
  })
  const look = perTick(() => transfers.onParts())
  events.on(() => void look(), ['job-part'])
  return {
    repository,
    watchImaging: createImagingWatch({ events, options: options.images.log }),
    progress: new PartProgressList(events),
    transfers,
    slots,
    isLoggedIn: (addr: string) => sessions.has(addr),
  }
}

interface ImagesDeps extends ImageFilesDeps {
  store: ImageFilesDeps['store']
  fleet: Pick<FleetService, 'running'>
  repository: RepositoryService
  progress: PartProgressList
}

export type Images = ImagesService & Pick<ImageFiles, 'close' | 'undeleteImage'>

/** The type id of the images that this daemon creates. */
const monolithic = 1

export function createImages(deps: ImagesDeps): Images {
  const { store, fleet, repository, progress } = deps
  const repositories = async () =>
    (await store.repositories.list()).map(({ id, ip }) => ({ id, address: ip || repository.address }))
  const idOf = async (address: string) => (await repositories()).find(each => each.address === address)?.id ?? 1

  return {
    ...repository,
    ...createImageFiles(deps),
    idOf,
    stats: createStats(store),
    progressOf: job => progress.of(job),

    async addressOf(repositoryId) {
      return (await repositories()).find(({ id }) => id === repositoryId)?.address
    },
    async checkIdentity({ name, id }, named) {
      const image = Number.isSafeInteger(Number(id)) ? await store.images.findById(Number(id)) : undefined
      // An id without a record, as 0, says nothing: the image is that of the name.
      if (!image || named?.id === image.id) return undefined
      return refuse(`name: expected ${image.name}, which is the name of image ${id}, got ${name}`)
    },
    async checkOwner(target, rights) {
      const image = await store.images.find(target.name)
      if (!image) return checkNew(target, repository)
      if (!isOwn(image, rights)) return refuse(foreign(target.name), 403)
      // The file of that name in another repository is not the image's.
      const { repository: address, repository_id } = target
      const id = address === undefined ? Number(repository_id) : await idOf(address)
      if (id === image.repo_id) return undefined
      return refuse(`repository: expected ${image.repo_id}, which has image ${image.name}, got ${id}`, 403)
    },
    async reserve(createCommand, image) {
      const { name } = image
      const isRunning = fleet.running().some(({ command, payload }) => {
        const isNamed = payload instanceof Object && 'name' in payload && payload.name === name
        return command === createCommand && isNamed
      })
      // Also without a record: a create that succeeds writes into the record of the name.
      if (isRunning) return undefined
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
}

const isOwn = ({ room_id, center_id }: Image, rights: Rights) =>
  room_id ? rights.hasRoom(room_id) : rights.hasCenter(center_id)

const foreign = (name: string) => `name: expected an image of the rooms of the token, got ${name}`

/** Of a file without a record nobody knows whose it is. */
async function checkNew(target: CreationTarget, repository: RepositoryService): Promise<Refusal | undefined> {
  const { name, description } = target
  if (parseVersion(name)) return refuse(`name: expected no name of a version, got ${name}`, 403)
  if (!description) return refuse(`description: expected one for the new image ${name}, got none`, 403)
  const isFree = repository.isValidName(name) && (await repository.file(name)) === undefined
  return isFree ? undefined : refuse(foreign(name), 403)
}

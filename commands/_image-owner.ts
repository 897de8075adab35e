// Which images a caller with rights for some rooms may write: new ones, and those that belong to its rooms.
import type { Image, Refusal, Rights, Services } from 'fleet-host'

interface NewImage {
  name: string
  description?: string
  repository?: string
  repository_id?: number | string
}

/** The name of an older version of an image. */
const versionName = /\.v\d+$/

/** A refusal with 403: an image of others, or a file without a record, of which nobody knows whose it is. */
export async function checkOwner(
  payload: NewImage,
  rights: Rights,
  services: Pick<Services, 'store' | 'repository' | 'images' | 'refuse'>,
): Promise<Refusal | undefined> {
  const { store, repository, refuse } = services
  const { name, description } = payload
  const image = await store.images.find(name)
  if (image) {
    const isOwn = image.room_id ? rights.hasRoom(image.room_id) : rights.hasCenter(image.center_id)
    return isOwn ? checkRepository(payload, image, services) : refuse(foreign(name), 403)
  }
  if (versionName.test(name)) return refuse(`name: expected no name of a version, got ${name}`, 403)
  if (!description) return refuse(`description: expected one for the new image ${name}, got none`, 403)
  const isFree = repository.isValidName(name) && (await repository.file(name)) === undefined
  return isFree ? undefined : refuse(foreign(name), 403)
}

/** The file of that name in another repository is not the image's. */
async function checkRepository(
  { name, repository, repository_id }: NewImage,
  { repo_id }: Image,
  { images, refuse }: Pick<Services, 'images' | 'refuse'>,
): Promise<Refusal | undefined> {
  const id = repository === undefined ? Number(repository_id) : await images.idOf(repository)
  return id === repo_id ? undefined : refuse(`repository: expected ${repo_id}, which has image ${name}, got ${id}`, 403)
}

const foreign = (name: string) => `name: expected an image of the rooms of the token, got ${name}`

/** The room of the computer where a limited caller makes a new image: it belongs to that. */
export async function ownerFor(
  { clients: [addr] }: { clients: readonly string[] },
  request: { rights: Rights } | undefined,
  { store }: Pick<Services, 'store'>,
): Promise<{ room_id: number } | undefined> {
  if (!request?.rights.isLimited || addr === undefined) return undefined
  const room_id = (await store.computers.find(addr))?.room
  return room_id === undefined ? undefined : { room_id }
}

// Which images a caller with rights for some rooms may write: new ones, and those that belong to its rooms.
import type { Image, Store } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { CreationTarget, ImagesService, Refusal, Rights } from '../contract/services.ts'

interface OwnerDeps {
  store: Pick<Store, 'images'>
  images: Pick<ImagesService, 'idOf' | 'isValidName' | 'file'>
}

/** The name of an older version of an image. */
const versionName = /\.v\d+$/

/** A refusal with 403: an image of others, or a file without a record, of which nobody knows whose it is. */
export async function checkOwner(
  payload: CreationTarget,
  rights: Rights,
  { store, images }: OwnerDeps,
): Promise<Refusal | undefined> {
  const { name, description } = payload
  const image = await store.images.find(name)
  if (image) {
    const isOwn = image.room_id ? rights.hasRoom(image.room_id) : rights.hasCenter(image.center_id)
    return isOwn ? checkRepository(payload, image, images) : refuse(foreign(name), 403)
  }
  if (versionName.test(name)) return refuse(`name: expected no name of a version, got ${name}`, 403)
  if (!description) return refuse(`description: expected one for the new image ${name}, got none`, 403)
  const isFree = images.isValidName(name) && (await images.file(name)) === undefined
  return isFree ? undefined : refuse(foreign(name), 403)
}

/** The file of that name in another repository is not the image's. */
async function checkRepository(
  { name, repository, repository_id }: CreationTarget,
  { repo_id }: Image,
  images: OwnerDeps['images'],
): Promise<Refusal | undefined> {
  const id = repository === undefined ? Number(repository_id) : await images.idOf(repository)
  return id === repo_id ? undefined : refuse(`repository: expected ${repo_id}, which has image ${name}, got ${id}`, 403)
}

const foreign = (name: string) => `name: expected an image of the rooms of the token, got ${name}`

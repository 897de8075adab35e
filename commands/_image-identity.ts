// The name and the id of a payload mean one image: two that disagree are a refusal.
import type { Image, Refusal, Services } from 'fleet-host'

/** An id without a record, as 0, says nothing: the image is that of the name. */
export async function checkIdentity(
  { name, id }: { name: string; id: string },
  find: (name: string) => Promise<Image | undefined>,
  { store, refuse }: Pick<Services, 'store' | 'refuse'>,
): Promise<Refusal | undefined> {
  const image = (await store.images.list()).find(each => each.id === Number(id))
  if (!image || (await find(name))?.id === image.id) return undefined
  return refuse(`name: expected ${image.name}, which is the name of image ${id}, got ${name}`)
}

// The payload of image-restore, without clients, that a planned restore stands for.
import type { FromSchema, Services } from 'fleet-host'
import type { planPayload } from './_restore-fields.ts'

type Payload = Pick<FromSchema<typeof planPayload>, 'image' | 'disk' | 'partition' | 'type' | 'overwrite'>

/** Without disk and partition, those that the image was made of. */
export async function restoreParams(
  { image: name, type = 'UNICAST', overwrite, ...plan }: Payload,
  services: Services,
) {
  const image = await services.imageFiles.find(name)
  const repository = image && (await services.images.addressOf(image.repo_id))
  if (!image || repository === undefined) return services.refuse(`image: there is no image ${name}`)
  const { disk = image.disk?.toString(), partition = image.partition?.toString() } = plan
  if (disk === undefined || partition === undefined)
    return services.refuse(`disk: expected disk and partition, as it is not known where image ${name} was made`)
  const ids = { profile: String(image.software_id), id: String(image.id) }
  // Computers may get another system until it starts.
  return { disk, partition, name, repository, type, ...ids, ...(!overwrite && { overwrite: false }) }
}

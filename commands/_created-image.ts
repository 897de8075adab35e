// What an agent says of an image that it has created, in the words of the store.
import type { CreatedImage, FromSchema, Services } from 'fleet-host'
import type { reply } from './_schemas/image-create.ts'

/** The reply as the store takes it, without id and version. */
export function toCreatedImage(
  { disk, partition, software, datasize, clonator, compressor, filesystem }: FromSchema<typeof reply>,
  { inventory }: Pick<Services, 'inventory'>,
): Omit<CreatedImage, 'id' | 'version' | 'at'> {
  return {
    disk: Number(disk),
    partition: Number(partition),
    software: inventory.parseSoftware(software),
    datasize,
    clonator,
    compressor,
    filesystem,
  }
}

// Lists the bin: files of deleted images and versions, and of failed creations.
import type { CommandOf } from 'fleet-host'
import { binEntry } from './_schemas/image-files.ts'
import { list, object } from './_schemas/objects.ts'

const returns = object({ bin: list(binEntry, 'the newest first') })

export default {
  summary: 'List deleted images',
  group: 'Disks and images',
  route: 'GET /image/bin',
  returns,
  scoped: true,
  body: 'none',
  answer: async ({ services }) => ({ bin: await services.images.bin() }),
} satisfies CommandOf<{ returns: typeof returns }>

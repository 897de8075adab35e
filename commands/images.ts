// Lists the images whose file exists in the repository, and the disk usage of the repository.
import type { CommandOf } from 'fleet-host'
import { imageFile, imageVersion } from './_schemas/image-files.ts'
import { described, integer, like, list, object, text } from './_schemas/objects.ts'

const image = object({
  name: described(text, 'the file is `<name>.img`', 'ubuntu'),
  'description?': described(
    text,
    'as it was given at its creation; with `descriptions` in the query',
    'Ubuntu for room 3',
  ),
  datasize: described(integer, 'bytes of the data, as the agent reported it', 9126805504),
  ...imageFile,
  software_id: described(integer, 'id of the list of its software', 1),
  type: described(integer, '1: the copy of a partition', 1),
  id: like(integer, 1),
  repo_id: described(integer, 'id of its repository', 1),
  center_id: described(integer, 'id of its center, 0 none', 0),
  system: described(text, 'the operating system in it, empty when it is not known', 'Ubuntu 24.04 LTS 64 bits'),
  computers: described(integer, 'how many computers have a partition of it', 24),
  version: described(integer, 'how often it was created; 0: not known', 3),
  versions: list(imageVersion, 'older files of it, the newest first'),
  'disk?': described(integer, 'number of the disk that it was made of; absent: not known', 1),
  'partition?': described(integer, 'number of its partition, absent as well', 2),
})
const disk = object({ total: like(integer, 1967925948416), free: like(integer, 1250999832576) })
const query = object({
  'without_file?': { enum: ['1'], description: '`1`: also lists the images without a file' },
  'descriptions?': { enum: ['1'], description: '`1`: with the descriptions of the images' },
})

const returns = object({
  images: list(image),
  disk: described(disk, 'bytes of the disk of the repository'),
  'without_file?': list(
    object({ id: like(integer, 2), name: like(text, 'win11') }),
    'with that key in the query: images without a file here, as of a creation that has failed',
  ),
})

export default {
  summary: 'List images and disk usage',
  group: 'Disks and images',
  route: 'GET /images',
  returns,
  scoped: true,
  query,
  body: 'none',
  async answer({ services, request: { query } }) {
    const records = await services.store.images.list()
    const uses = new Map((await services.store.images.uses()).map(use => [use.id, use]))
    const files = await services.images.read(records.map(({ name }) => name))
    const images = records.flatMap(image => {
      const { name, datasize, software_id, type, id, repo_id, center_id, version = 0, disk, partition } = image
      const description = query.descriptions && image.description
      const { versions = [], ...file } = files.get(name) ?? {}
      const { system = '', computers = 0 } = uses.get(id) ?? {}
      const record = { software_id, type, id, repo_id, center_id, system, computers, version, disk, partition }
      return 'size' in file
        ? [{ name, ...(description && { description }), datasize, ...file, ...record, versions }]
        : []
    })
    const disk = await services.images.disk()
    if (query.without_file === undefined) return { images, disk }
    const others = records.filter(({ name }) => !files.has(name))
    return { images, disk, without_file: others.map(({ id, name }) => ({ id, name })) }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>

// Lists the images whose file exists in the repository, and the disk usage of the repository.
import type { Command } from 'fleet-host'
import { described, integer, like, list, result, text, time } from './_schemas/results.ts'

const check = result(
  {
    state: {
      enum: ['not checked', 'queued', 'running', 'ok', 'damaged', 'no checksum', 'unreadable'],
      description: 'whether the file matches the checksum next to it',
      examples: ['ok'],
    },
    at: described(time, 'end of the check'),
    percent: described(integer, 'of a running check', 40),
  },
  ['at', 'percent'],
)
const imageFile = {
  size: described(integer, 'bytes of the file', 4312147165),
  modified: described(text, 'local time: Www Mmm dd hh:mm:ss yyyy', 'Mon Sep 14 10:30:00 2026'),
  permissions: described(text, 'octal', '644'),
  check,
}
const imageVersion = result({
  name: described(text, '`image/restore` takes it as the name of the image', 'ubuntu.v2'),
  version: described(integer, 'which creation wrote the file', 2),
  ...imageFile,
})

const image = result(
  {
    name: described(text, 'the file is `<name>.img`', 'ubuntu'),
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
    disk: described(integer, 'number of the disk that it was made of; absent: not known', 1),
    partition: described(integer, 'number of its partition, absent as well', 2),
  },
  ['disk', 'partition'],
)
const disk = result({ total: like(integer, 1967925948416), free: like(integer, 1250999832576) })
const returns = result(
  {
    images: list(image),
    disk: described(disk, 'bytes of the disk of the repository'),
    without_file: list(
      result({ id: like(integer, 2), name: like(text, 'win11') }),
      'with that key in the query: images without a file here, as of a creation that has failed',
    ),
  },
  ['without_file'],
)

const query = {
  type: 'object',
  properties: { without_file: { enum: ['1'], description: '`1`: also lists the images without a file' } },
} as const

export default {
  summary: 'List images and disk usage',
  group: 'Disks and images',
  route: 'GET /images',
  returns,
  scoped: true,
  query,
  body: 'none',
  async answer({ services, request }) {
    const records = await services.store.images.list()
    const uses = new Map((await services.store.images.uses()).map(use => [use.id, use]))
    const files = await services.images.read(records.map(({ name }) => name))
    const images = records.flatMap(image => {
      const { name, datasize, software_id, type, id, repo_id, center_id, version = 0, disk, partition } = image
      const { versions = [], ...file } = files.get(name) ?? {}
      const { system = '', computers = 0 } = uses.get(id) ?? {}
      const record = { software_id, type, id, repo_id, center_id, system, computers, version, disk, partition }
      return 'size' in file ? [{ name, datasize, ...file, ...record, versions }] : []
    })
    const disk = await services.images.disk()
    if (request.query.without_file === undefined) return { images, disk }
    const others = records.filter(({ name }) => !files.has(name))
    return { images, disk, without_file: others.map(({ id, name }) => ({ id, name })) }
  },
} satisfies Command<undefined, undefined, typeof query>

// Lists the images whose file exists in the repository, and the disk usage of the repository.
import type { Command } from 'fleet-host'
import { described, integer, like, list, result, text } from './_result-schemas.ts'

const image = result({
  name: described(text, 'the file is `<name>.img`', 'ubuntu'),
  datasize: described(integer, 'bytes of the data, as the agent reported it', 9126805504),
  size: described(integer, 'bytes of the file', 4312147165),
  modified: described(text, 'local time: Www Mmm dd hh:mm:ss yyyy', 'Mon Sep 14 10:30:00 2026'),
  permissions: described(text, 'octal', '644'),
  software_id: described(integer, 'id of the list of its software', 1),
  type: described(integer, '1: the copy of a partition', 1),
  id: like(integer, 1),
  repo_id: described(integer, 'id of its repository', 1),
  center_id: described(integer, 'id of its center, 0 none', 0),
  system: described(text, 'the operating system in it, empty when it is not known', 'Ubuntu 24.04 LTS 64 bits'),
  computers: described(integer, 'how many computers have a partition of it', 24),
})
const disk = result({ total: like(integer, 1967925948416), free: like(integer, 1250999832576) })
const returns = result({ images: list(image), disk: described(disk, 'bytes of the disk of the repository') })

export default {
  summary: 'List images and disk usage',
  group: 'Disks and images',
  route: 'GET /images',
  returns,
  scoped: true,
  body: 'none',
  async answer({ services }) {
    const records = await services.store.images.list()
    const uses = new Map((await services.store.images.uses()).map(use => [use.id, use]))
    const entries = records.map(async ({ name, datasize, software_id, type, id, repo_id, center_id }) => {
      const file = await services.repository.file(name)
      const { system = '', computers = 0 } = uses.get(id) ?? {}
      return file && { name, datasize, ...file, software_id, type, id, repo_id, center_id, system, computers }
    })
    const images = (await Promise.all(entries)).filter(image => image !== undefined)
    return { images, disk: await services.repository.disk() }
  },
} satisfies Command

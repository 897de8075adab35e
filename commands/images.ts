// Lists the images whose file exists in the repository, and the disk usage of the repository.
import type { Command } from 'fleet-host'
import { described, integer, list, result, text } from './_result-schemas.ts'

const image = result({
  name: described(text, 'the file is <name>.img'),
  datasize: described(integer, 'bytes of the data, as the agent reported it'),
  size: described(integer, 'bytes of the file'),
  modified: described(text, 'local time: Www Mmm dd hh:mm:ss yyyy'),
  permissions: described(text, 'octal'),
  software_id: described(integer, 'id of the list of its software'),
  type: integer,
  id: integer,
  repo_id: described(integer, 'id of its repository'),
})
const disk = result({ total: integer, free: integer })
const returns = result({ images: list(image), disk: described(disk, 'bytes of the disk of the repository') })

export default {
  summary: 'List images and disk usage',
  route: 'GET /images',
  returns,
  body: 'none',
  async answer({ services }) {
    const records = await services.store.images.list()
    const entries = records.map(async ({ name, datasize, software_id, type, id, repo_id }) => {
      const file = await services.repository.file(name)
      return file && { name, datasize, ...file, software_id, type, id, repo_id }
    })
    const images = (await Promise.all(entries)).filter(image => image !== undefined)
    return { images, disk: await services.repository.disk() }
  },
} satisfies Command

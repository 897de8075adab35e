// Lists the images whose file exists in the repository, and the disk usage of the repository.
import type { Command } from 'fleet-host'

export default {
  summary: 'List images and disk usage',
  route: 'GET /images',
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

// Lists the images whose file lies in the repository, and the disk that holds it.
import type { Command } from 'fleet-host'

export default {
  summary: 'List images and disk usage',
  route: 'GET /images',
  body: 'none',
  async answer(_, { store, repository }) {
    const listed = (await store.images.list()).map(async ({ name, datasize, software_id, type, id, repo_id }) => {
      const file = await repository.file(name)
      return file && { name, datasize, ...file, software_id, type, id, repo_id }
    })
    const images = (await Promise.all(listed)).filter(image => image !== undefined)
    return { images, disk: await repository.disk() }
  },
} satisfies Command

// Lists the images whose file exists in the repository, and the disk usage of the repository.
import type { Command } from 'fleet-host'
import { imageList } from './_image-list-result.ts'

const query = {
  type: 'object',
  properties: { without_file: { enum: ['1'], description: '`1`: also lists the images without a file' } },
} as const

export default {
  summary: 'List images and disk usage',
  group: 'Disks and images',
  route: 'GET /images',
  returns: imageList,
  scoped: true,
  query,
  body: 'none',
  async answer({ services, request }) {
    const records = await services.store.images.list()
    const uses = new Map((await services.store.images.uses()).map(use => [use.id, use]))
    const files = await services.imageFiles.read(records.map(({ name }) => name))
    const images = records.flatMap(image => {
      const { name, datasize, software_id, type, id, repo_id, center_id, version = 0, disk, partition } = image
      const { versions = [], ...file } = files.get(name) ?? {}
      const { system = '', computers = 0 } = uses.get(id) ?? {}
      const record = { software_id, type, id, repo_id, center_id, system, computers, version, disk, partition }
      return 'size' in file ? [{ name, datasize, ...file, ...record, versions }] : []
    })
    const others = records.filter(({ name }) => !files.has(name)).map(({ id, name }) => ({ id, name }))
    const isAsked = request.query.without_file === '1'
    return { images, disk: await services.repository.disk(), ...(isAsked && { without_file: others }) }
  },
} satisfies Command<undefined, undefined, typeof query>

// Lists the image repositories.
import type { CommandOf } from 'fleet-host'
import { address, described, integer, like, list, object, text } from './_schemas/objects.ts'

const repository = object({
  id: like(integer, 2),
  ip: like(address, '10.1.1.3'),
  name: like(text, 'second'),
  slots: described(integer, 'how many clients may copy images from or to it at once; 0: any number', 10),
})

const returns = object({ repositories: list(repository) })

export default {
  summary: 'List repositories',
  group: 'Disks and images',
  route: 'GET /repositories',
  returns,
  scoped: true,
  body: 'none',
  async answer({ services }) {
    const repositories = await services.store.repositories.list()
    const { address } = services.images
    return { repositories: repositories.map(({ id, ip, name, slots = 0 }) => ({ id, ip: ip || address, name, slots })) }
  },
} satisfies CommandOf<{ returns: typeof returns }>

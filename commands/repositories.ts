// Lists the image repositories.
import type { Command } from 'fleet-host'

export default {
  summary: 'List repositories',
  route: 'GET /repositories',
  body: 'none',
  async answer({ services }) {
    const repositories = await services.store.repositories.list()
    const { address } = services.repository
    return { repositories: repositories.map(({ id, ip, name }) => ({ id, ip: ip || address, name })) }
  },
} satisfies Command

// Lists the image repositories.
import type { Command } from 'fleet-host'

export default {
  summary: 'List repositories',
  route: 'GET /repositories',
  body: 'none',
  async answer(_, { store, repository }) {
    const rows = await store.repositories.list()
    return { repositories: rows.map(({ id, ip, name }) => ({ id, ip: ip || repository.address, name })) }
  },
} satisfies Command

// Lists the image repositories.
import type { Command } from 'fleet-host'
import { address, integer, list, result, text } from './_result-schemas.ts'

const repository = result({ id: integer, ip: address, name: text })
const returns = result({ repositories: list(repository) })

export default {
  summary: 'List repositories',
  route: 'GET /repositories',
  returns,
  body: 'none',
  async answer({ services }) {
    const repositories = await services.store.repositories.list()
    const { address } = services.repository
    return { repositories: repositories.map(({ id, ip, name }) => ({ id, ip: ip || address, name })) }
  },
} satisfies Command

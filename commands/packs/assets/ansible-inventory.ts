// Answers the computers as an inventory of Ansible: groups, and the variables of each host.
import type { CommandOf } from 'fleet-host'
import { readInventory } from './_ansible-hosts.ts'
import { whereQuery } from './_asset-schemas.ts'
import type pack from './pack.ts'

const query = { type: 'object', properties: { where: whereQuery } } as const

export default {
  summary: 'List computers as an inventory of Ansible',
  group: 'Assets',
  route: 'GET /ansible/inventory',
  mediaType: 'application/json',
  scoped: true,
  heavy: true,
  query,
  async answer({ request: { query, rights }, services }) {
    const { where = '' } = query
    const computers = await services.search.find(where, rights)
    if (services.isRefusal(computers)) return computers
    const inventory = await readInventory(where, rights, services)
    return services.text('application/json', JSON.stringify(inventory))
  },
} satisfies CommandOf<{ query: typeof query; pack: typeof pack }>

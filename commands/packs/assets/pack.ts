// Hands the inventory to asset systems: as lists, by pushes to GLPI, for Ansible and for Prometheus.
import type { Pack } from 'fleet-host'
import { collections, settings } from './_asset-schemas.ts'
import { connectGlpi } from './_glpi-connection.ts'

export default {
  contract: 3,
  summary: 'Lists for asset systems, pushes to GLPI, inventories for Ansible and Prometheus',
  version: '1.0.0',
  settings,
  collections,
  async check({ settings: { glpi }, services }) {
    if (glpi.url === '') return undefined
    const problem = await services.search.check(glpi.where === '' ? {} : { where: glpi.where })
    if (problem) return services.refuse(`glpi.${problem.refused}`)
    const answer = await connectGlpi(glpi, services.signal).ask()
    return answer.problem === undefined ? undefined : services.refuse(`glpi.url: ${answer.problem}`)
  },
} as const satisfies Pack<typeof settings>

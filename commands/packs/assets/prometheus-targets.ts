// Answers the computers as targets of Prometheus, for its service discovery over HTTP.
import type { CommandOf } from 'fleet-host'
import { pagesOf } from './_asset-facts.ts'
import { whereQuery } from './_asset-schemas.ts'
import type pack from './pack.ts'

const query = {
  type: 'object',
  properties: {
    port: {
      type: 'string',
      pattern: '^[1-9][0-9]{0,4}$',
      description: 'of the exporter; default: 9100',
      examples: ['9100'],
    },
    where: whereQuery,
  },
} as const

export default {
  summary: 'List computers as targets of Prometheus',
  group: 'Assets',
  route: 'GET /prometheus/targets',
  mediaType: 'application/json',
  scoped: true,
  heavy: true,
  query,
  async answer({ request: { query, rights }, services }) {
    const { where = '', port = '9100' } = query
    if (Number(port) > 65_535) return services.refuse(`port: expected at most 65535, got ${port}`)
    const computers = await services.search.find(where, rights)
    if (services.isRefusal(computers)) return computers
    const targets: object[] = []
    const columns = 'client,name,room,center,mac,tags,os'
    for await (const found of pagesOf({ where, columns }, rights, services)) {
      const { client, name = '', room = '', center = '', mac = '', tags = [], os = [] } = found
      const labels = {
        fleet_name: name,
        fleet_room: room,
        fleet_center: center,
        __meta_fleet_mac: mac,
        // With commas at both ends, so that an expression finds a whole word.
        __meta_fleet_tags: `,${tags.join(',')},`,
        __meta_fleet_systems: `,${os.join(',')},`,
      }
      targets.push({ targets: [`${client}:${port}`], labels })
    }
    return services.text('application/json', JSON.stringify(targets))
  },
} satisfies CommandOf<{ query: typeof query; pack: typeof pack }>

// The hosts of the fleet, for GET /hosts.
import { hostname } from 'node:os'
import type { Cluster } from '../cluster/cluster.ts'
import type { HostEntry, HostsService } from '../contract/services.ts'
import { version } from '../system/version.ts'
import { compareModules } from './module-differences.ts'

export interface HostListDeps {
  /** Of the REST API. */
  url: string
  /** Agents that are connected to this host. */
  agents(): number
  /** Digests of the commands in service, by name. */
  digests(): Readonly<Record<string, string>>
  /** Undefined in a daemon that runs alone. */
  cluster: Pick<Cluster, 'key' | 'members' | 'remote'> | undefined
}

export function createHostList(deps: HostListDeps): HostsService {
  const since = new Date().toISOString()
  const { url, agents, cluster } = deps
  return {
    list: () =>
      cluster
        ? listMembers(deps, cluster)
        : [{ name: hostname(), url, since, leader: true, agents: agents(), version }],
  }
}

function listMembers(
  { agents, digests }: HostListDeps,
  { key, members, remote }: NonNullable<HostListDeps['cluster']>,
): HostEntry[] {
  const own = digests()
  const counts = new Map<string, number>()
  for (const { host } of remote.list()) counts.set(host, (counts.get(host) ?? 0) + 1)
  return members().map((host, index) => {
    const isOwn = host.name === key().name
    const entry: HostEntry = {
      name: host.name,
      url: host.url,
      since: new Date(host.joined).toISOString(),
      leader: index === 0,
      agents: isOwn ? agents() : (counts.get(host.name) ?? 0),
      version: host.version,
    }
    const { lacks, differs, adds } = compareModules(own, host.modules)
    if (lacks.length > 0) entry.lacks = lacks
    if (differs.length > 0) entry.differs = differs
    if (adds.length > 0) entry.adds = adds
    return entry
  })
}

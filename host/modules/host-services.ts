// What is known of the hosts of the fleet and of the commands that they have.
import { hostname } from 'node:os'
import type { Cluster } from '../cluster/cluster.ts'
import type { Options } from '../config/options.ts'
import { restUrl } from '../config/server-address.ts'
import type { HostEntry, HostsService, Services } from '../contract/services.ts'
import type { Health } from '../system/health.ts'
import { version } from '../system/version.ts'
import type { Loader } from './loader.ts'
import { compareModules, createSharedModules, describeDifferences, digestsOf } from './module-differences.ts'
import type { Registry } from './registry.ts'

export interface HostServicesDeps {
  options: Options
  registry: Registry
  loader: Loader
  health: Health
  /** How many agents are connected to this host. */
  agents(): number
  /** Absent in a daemon that runs alone. */
  cluster?: Cluster
}

/** Also adds to the health what concerns the fleet: commands that differ are no reason to be unready. */
export function createHostServices(deps: HostServicesDeps): Pick<Services, 'modules' | 'hosts'> {
  const { options, registry, loader, health, agents, cluster } = deps
  const digests = () => digestsOf(registry.commands)
  if (cluster) {
    health.addState('cluster', () => (cluster.isMember() ? undefined : 'this host is no member of the fleet now'))
    health.addNotes(() => describeDifferences(digests(), cluster))
  }
  return {
    modules: cluster ? createSharedModules(loader, digests, cluster) : loader,
    hosts: createHostList({ url: restUrl(options), agents, digests, cluster }),
  }
}

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

// What is known of the hosts of the fleet and of the commands that they have.
import type { Cluster } from '../cluster/cluster.ts'
import type { Options } from '../config/options.ts'
import { restUrl } from '../config/server-address.ts'
import type { Services } from '../contract/services.ts'
import type { Health } from '../system/health.ts'
import { createHostList } from './host-list.ts'
import type { Loader } from './loader.ts'
import { createSharedModules, describeDifferences, digestsOf } from './module-differences.ts'
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

// What jobs use of the other hosts of the fleet.
import type { Agents } from '../../agents/service.ts'
import type { Cluster, FleetFeed, RemoteClients } from '../../cluster/cluster.ts'

export interface JobsCluster
  extends Pick<Cluster, 'key' | 'isMember' | 'isLeader' | 'members' | 'work' | 'onMembersChange' | 'onWork'> {
  remote: Pick<RemoteClients, 'find' | 'onHeld'>
  feed: Pick<FleetFeed, 'on' | 'onGap'>
}

/** Finds the host that has a client, the leader for clients without a connection; undefined: this host. */
export const createHostOf =
  (cluster: JobsCluster, fleet: Pick<Agents, 'hasLocal'>) =>
  (addr: string): string | undefined => {
    if (fleet.hasLocal(addr)) return undefined
    const host = cluster.remote.find(addr)?.host ?? cluster.members()[0]?.name
    return host === cluster.key().name ? undefined : host
  }

// What jobs use of the other hosts of the fleet. Types only.
import type { Cluster, FleetFeed, RemoteClients } from '../../cluster/cluster.ts'

export interface JobsCluster
  extends Pick<Cluster, 'key' | 'isMember' | 'isLeader' | 'members' | 'work' | 'onMembersChange' | 'onWork'> {
  remote: Pick<RemoteClients, 'find' | 'onHeld'>
  feed: Pick<FleetFeed, 'on' | 'onGap'>
}

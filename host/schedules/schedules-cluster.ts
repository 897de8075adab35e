// What schedules use of the hosts of the fleet. A daemon alone is a fleet of one.
import type { HostKey, Store } from '../../stores/store.ts'
import type { Cluster, FleetFeed } from '../cluster/cluster.ts'

export interface SchedulesCluster extends Pick<Cluster, 'isLeader'> {
  key(): Pick<HostKey, 'name'>
  members(): readonly Pick<HostKey, 'name'>[]
  feed: Pick<FleetFeed, 'onGap'>
  work: Pick<Cluster['work'], 'claimFiring'>
}

const name = 'this host'

export const oneHost = ({ schedules }: { schedules: Pick<Store['schedules'], 'setSince'> }): SchedulesCluster => ({
  isLeader: () => true,
  key: () => ({ name }),
  members: () => [{ name }],
  feed: { onGap() {} },
  work: {
    async claimFiring({ schedule, time }) {
      await schedules.setSince(schedule, time)
      return true
    },
  },
})

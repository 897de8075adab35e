// A daemon alone is a cluster of one host: it looks after all queues, and what it stores nobody else changes.
import type { Store } from '../../stores/store.ts'
import type { Events } from '../system/events.ts'
import type { JobsCluster } from './cluster.ts'

/** It has no name, so that nothing says which host it was. */
const key = { name: '', epoch: 0 }

export const createOneHost = ({ jobs, schedules }: Pick<Store, 'jobs' | 'schedules'>, events: Events): JobsCluster => ({
  key: () => key,
  isMember: () => true,
  isLeader: () => true,
  members: () => [key],
  remote: { find: () => undefined, onMove() {} },
  feed: {
    on: (listener, types) => events.on(event => listener({ id: 0, time: 0, host: key.name, event }), types),
    onRemote: () => () => {},
    onGap() {},
  },
  onMembersChange() {},
  onWork() {},
  lostParts: () => jobs.unfinished({ state: 'sent' }),
  work: {
    async add(_, { job, parts, firing }) {
      const id = await jobs.add(job, parts)
      // Afterwards: until then the firing may be tried again.
      if (firing) await schedules.setSince(firing.schedule, firing.time)
      return { id, unassigned: [] }
    },
    async claimFiring({ schedule, time }) {
      await schedules.setSince(schedule, time)
      return true
    },
    take: async (_, last) => ({ jobs: [], parts: [], last }),
    // Asked for all clients only, as no client comes from another host.
    queued: (_, page) => jobs.unfinished({ ...page, state: 'queued' }),
    async assign() {},
    unclaimed: async () => 0,
    change: (_, changes) => jobs.update(changes),
    cancel: (...target) => jobs.cancel(...target),
  },
})

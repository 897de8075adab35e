// The jobs of several hosts over one store, with clients that the tests connect, and no sockets.
import type { FeedEvent } from '../../host/cluster/cluster.ts'
import type { Clock } from '../../host/system/clock.ts'
import type { Store } from '../../stores/store.ts'
import { LabFleet } from './lab-fleet.ts'
import { LabHost, type LabStore } from './lab-host.ts'
import { pollUntil } from './poll.ts'

export interface JobsLab {
  hosts: LabHost[]
  /** The events of all hosts in one order. */
  feed: FeedEvent[]
  store: Store
  /** Ends a host's membership; the first other host emits the events of what that ended. */
  lose(host: LabHost): Promise<void>
  /** Resolves to the states of a job's parts, with their reasons, when none is unfinished. */
  outcomes(job: number): Promise<string[]>
  states(job: number): Promise<string[]>
  close(): Promise<void>
}

const isUnfinished = (state: string) => state === 'queued' || state === 'sent'

/** `open` makes what the host with this name has of the store. */
export async function startJobsLab(
  names: string[],
  open: (name: string) => Promise<LabStore>,
  clock: Clock,
): Promise<JobsLab> {
  const fleet = new LabFleet()
  const stores: LabStore[] = []
  for (const name of names) stores.push(await open(name))
  const hosts = stores.map(own => new LabHost(fleet, own, clock))
  for (const { jobs } of hosts) await jobs.start()
  const [first] = stores
  if (!first) throw new Error('expected a host, got none')
  const { store } = first
  const parts = (job: number) => store.jobs.parts(job, { limit: 1e6, outputs: false })
  return {
    hosts,
    feed: fleet.feed,
    store,
    async lose({ name }) {
      const ended = await stores.find(({ key }) => key.name === name)?.remove('host gone')
      hosts.find(host => host.name !== name)?.jobs.emitEnded(ended ?? [])
      fleet.lose(name)
    },
    async outcomes(job) {
      await pollUntil(async () => !(await parts(job)).some(({ state }) => isUnfinished(state)))
      return (await parts(job)).map(({ state, reason }) => `${state}${reason && ` ${reason}`}`)
    },
    states: async job => (await parts(job)).map(({ state }) => state),
    close: async () => void (await Promise.all(hosts.map(({ jobs }) => jobs.close()))),
  }
}

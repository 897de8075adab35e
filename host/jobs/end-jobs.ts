// Cancels and stops jobs: of a limited caller the parts within its limits.
import type { IndexedPart } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { JobRuns, Refusal, Rights } from '../contract/services.ts'
import type { JobsDeps } from './deps.ts'
import type { HostJobs } from './host-jobs.ts'
import { refuseUnknown } from './steps/check-run.ts'

export interface EndJobDeps extends Pick<JobsDeps, 'store' | 'findFlagged'> {
  cancel: HostJobs['cancel']
  stop: HostJobs['stop']
}

export function createEndJobs({ store, findFlagged, cancel, stop }: EndJobDeps): Pick<JobRuns, 'cancel' | 'stop'> {
  /** The job, and the clients whose parts a limited caller may end. */
  async function findTarget(job: number, rights: Rights): Promise<{ job: number; clients?: string[] } | Refusal> {
    const parts = rights.isLimited ? await findParts(job, rights, { store }) : undefined
    const isKnown = parts ? parts.length > 0 : (await store.jobs.find(job)) !== undefined
    if (!isKnown) return refuseUnknown(rights, `id: there is no job ${job}`)
    return { job, ...(parts && { clients: [...new Set(parts.map(({ client }) => client))] }) }
  }

  return {
    async cancel(job, { rights }) {
      const target = await findTarget(job, rights)
      return isRefusal(target) ? target : cancel(target, 'by request')
    },
    async stop(job, { rights }) {
      const target = await findTarget(job, rights)
      if (isRefusal(target)) return target
      if (!findFlagged('stopsJobs')) return refuse('no command is loaded that ends what agents do')
      // First, so that no client begins its next part.
      await cancel(target, `stopped by ${rights.name}`)
      stop(job, target.clients)
    },
  }
}

/** The parts of a job that are within the limits. */
export async function findParts(
  job: number,
  rights: Rights,
  { store }: Pick<JobsDeps, 'store'>,
): Promise<IndexedPart[]> {
  const parts = await store.jobs.parts(job, { limit: Number.MAX_SAFE_INTEGER, outputs: false })
  return rights.isLimited ? parts.filter(({ client }) => rights.hasClient(client)) : parts
}

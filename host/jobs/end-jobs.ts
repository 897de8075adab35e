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
  /** The job, and the clients whose parts are meant where not all of it are. */
  async function findTarget(job: number, rights: Rights, only?: readonly string[]) {
    if (!rights.isLimited && !only && (await store.jobs.find(job))) return { job }
    const parts = rights.isLimited || only ? await findParts(job, rights, { store }) : []
    if (parts.length === 0) return refuseUnknown(rights, `id: there is no job ${job}`)
    const clients = [...new Set(parts.map(({ client }) => client))].filter(client => only?.includes(client) !== false)
    return clients.length > 0 ? { job, clients } : refuse(`clients: expected clients of job ${job}, got ${only}`)
  }

  return {
    async cancel(job, { rights }, only) {
      const target = await findTarget(job, rights, only)
      return isRefusal(target) ? target : cancel(target, 'by request')
    },
    async stop(job, { rights }, only) {
      const target: { job: number; clients?: string[] } | Refusal = await findTarget(job, rights, only)
      if (isRefusal(target)) return target
      if (!findFlagged('stopsJobs')) return refuse('no command is loaded that ends what agents do')
      // First, so that no client begins its next part.
      await cancel(target, `stopped by ${rights.name}`)
      stop(job, rights.name, target.clients)
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

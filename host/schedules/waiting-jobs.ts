// Which jobs of a schedule still wait for computers: they run also when it is deleted.
import type { Store } from '../../stores/store.ts'
import type { Changer } from '../contract/services.ts'

/** So that a warning stays short. */
const mostJobs = 5

/** `job 12 still waits on 5 computers: fleet job cancel 12`, the newest first. */
export async function warnOfWaiting(schedule: number, { jobs }: Pick<Store, 'jobs'>, { warn }: Pick<Changer, 'warn'>) {
  const lines: string[] = []
  for (const { id } of await jobs.list({ schedule, state: 'queued', limit: mostJobs })) {
    const parts = await jobs.parts(id, { state: 'queued', limit: Number.MAX_SAFE_INTEGER, outputs: false })
    const count = new Set(parts.map(({ client }) => client)).size
    lines.push(`job ${id} still waits on ${count} ${count === 1 ? 'computer' : 'computers'}: fleet job cancel ${id}`)
  }
  if (lines.length > 0) warn?.(lines.join('; '))
}

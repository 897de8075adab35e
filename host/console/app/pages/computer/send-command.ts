// Sends a command to the computer of the page; the drawer shows what becomes of it.
import type { StreamEvent } from '../../../../contract/fleet-events.ts'
import { post } from '../../api/request.ts'
import { report } from '../../state/notices.ts'
import { showJob } from '../../state/running-jobs.ts'

/** `more` is the payload without `clients`. */
export async function sendTo(ip: string, path: string, more?: object): Promise<void> {
  const reply = await post(path, { clients: [ip], ...more })
  if (report(reply) && reply.job !== undefined) showJob(reply.job)
}

/** Whether an event says that what the agent reports of this computer may have changed. */
export const hasReported = (ip: string) => (event: StreamEvent) =>
  (event.type === 'client-ready' || event.type === 'job-part') && event.clients.includes(ip)

// Until when an agent has to reply to a request.
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Sending } from '../contract/services.ts'
import { nextTime } from '../schedules/recurrence.ts'
import type { JobsDeps } from './deps.ts'

/** Seconds until a command without a reply fails, for modules without `deadline` (open points, section 3). */
const defaultDeadline = 900

/** Seconds; undefined unless the payload has one of its own. */
export function ownDeadline(loaded: LoadedCommand, payload: unknown, sent: number, deps: JobsDeps): number | undefined {
  const deadline = loaded.command.forward?.deadline
  return typeof deadline === 'function' ? deadline(sendContext(loaded, payload, sent, deps)) : undefined
}

export const sendContext = (loaded: LoadedCommand, payload: unknown, sent: number, { services }: JobsDeps) => ({
  payload,
  ...services.contextOf(loaded),
  secondsLeft({ timeout, end_at }: Parameters<Sending['secondsLeft']>[0]) {
    if (end_at === undefined) return timeout
    const seconds = Math.ceil((nextTime(end_at, sent) - sent) / 1000)
    return Math.min(seconds, timeout ?? seconds)
  },
})

export function deadlineOf(loaded: LoadedCommand, payload: unknown, sent: number, deps: JobsDeps): number {
  const deadline = loaded.command.forward?.deadline
  const declared = typeof deadline === 'number' ? deadline : defaultDeadline
  return ownDeadline(loaded, payload, sent, deps) ?? deps.deadlines[loaded.name] ?? declared
}

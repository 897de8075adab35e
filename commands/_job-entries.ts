// The JSON form of jobs and their parts.
import type { Job, Part, PartCounts } from 'fleet-host'

const time = (milliseconds: number) => (milliseconds === 0 ? undefined : new Date(milliseconds).toISOString())

export function jobEntry({ id, created, origin, name, steps, counts }: Job & { counts: PartCounts }) {
  return { id, created: time(created), origin, name, commands: steps.map(({ command }) => command), counts }
}

export function partEntry({ steps }: Job, { client, step, state, reason, queued, sent, ended }: Part) {
  return {
    client,
    step,
    command: steps[step]?.command,
    state,
    reason: reason || undefined,
    queued: time(queued),
    sent: time(sent),
    ended: time(ended),
  }
}

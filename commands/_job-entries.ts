// The JSON form of jobs and their parts.
import type { Job, Part, PartCounts, PartProgress } from 'fleet-host'

const time = (milliseconds: number) => (milliseconds === 0 ? undefined : new Date(milliseconds).toISOString())

/** How many command names an entry has, so that a list of 100 jobs stays within the response limit. */
export const listedCommands = 20

/** `steps` is the number of steps when there are more than the names in `commands`. */
export function jobEntry({ id, created, origin, name, by, caller, steps, counts }: Job & { counts: PartCounts }) {
  const commands = steps.slice(0, listedCommands).map(({ command }) => command)
  return {
    id,
    created: time(created),
    origin,
    name,
    by,
    caller,
    commands,
    steps: steps.length > commands.length ? steps.length : undefined,
    counts,
  }
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

/** Looks up how far a part is; undefined for parts that copy no image, or have ended. */
export function progressByPart(list: readonly PartProgress[]) {
  const keyOf = ({ client, step }: Pick<Part, 'client' | 'step'>) => `${step} ${client}`
  const progress = new Map(
    list.map(({ percent, rate, remaining, ...part }) => [keyOf(part), { percent, rate, remaining }]),
  )
  return (part: Part) => (part.state === 'sent' ? progress.get(keyOf(part)) : undefined)
}

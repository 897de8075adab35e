// The JSON form of jobs and their parts.
import type { Job, Part, PartCounts } from 'fleet-host'

const time = (milliseconds: number) => (milliseconds === 0 ? undefined : new Date(milliseconds).toISOString())

/** How many command names an entry has, so that a list of 100 jobs stays within the response limit. */
const listedCommands = 20

/** Characters of the arguments of an entry, and of one text in them, so that an entry with 500 parts stays within it. */
const [argumentCharacters, textCharacters] = [65_536, 4096]

/** `steps` is the number of steps when there are more than the names in `commands`. */
export function jobEntry({ id, created, origin, name, caller, steps, counts }: Job & { counts: PartCounts }) {
  const commands = steps.slice(0, listedCommands).map(({ command }) => command)
  return {
    id,
    created: time(created),
    origin,
    name,
    caller,
    commands,
    steps: steps.length > commands.length ? steps.length : undefined,
    counts,
  }
}

/**
 * The arguments of the same steps as in `commands`, with texts cut. Of many long ones only the first: those that follow
 * are null.
 */
export function jobArguments({ steps }: Pick<Job, 'steps'>): (object | null)[] {
  let characters = 0
  return steps.slice(0, listedCommands).map(({ payload }) => {
    const json = JSON.stringify(payload, (_, value: unknown) => (typeof value === 'string' ? cut(value) : value))
    characters += json.length
    return characters > argumentCharacters ? null : JSON.parse(json)
  })
}

const cut = (text: string) => (text.length > textCharacters ? `${text.slice(0, textCharacters)}…` : text)

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

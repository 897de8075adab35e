// Which computers are asked now: each once a day, at a time of its own, or later when it was off then; few at a time.
import { createHash } from 'node:crypto'

const day = 86_400_000
/** The milliseconds of its time after midnight (UTC): spread over the day. */
const timeOf = (client: string) => createHash('sha256').update(client).digest().readUInt32BE() % day

/** Of so many computers at most in a quarter of an hour: all can be asked within eight hours. */
export const mostAtOnce = (computers: number) => Math.max(10, Math.ceil(computers / 32))

/** `asked`: when each was asked last, in milliseconds since 1970. Those that have waited longest come first. */
export function findDue(connected: readonly string[], asked: ReadonlyMap<string, number>, now: number): string[] {
  const askedOf = (client: string) => asked.get(client) ?? 0
  const due = connected.filter(client => {
    const time = timeOf(client)
    return askedOf(client) < Math.floor((now - time) / day) * day + time
  })
  return due.sort((one, other) => askedOf(one) - askedOf(other)).slice(0, mostAtOnce(connected.length))
}

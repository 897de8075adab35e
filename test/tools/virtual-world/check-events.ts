// What a hook gets of the stored events: each at least once, in their order, wherever it runs.
import type { World } from './world.ts'

/** The name of an event, as the hook `follow-events` logs it. */
export const nameOfEvent = (event: { type: string; job?: unknown; schedule?: unknown }) =>
  `${event.type} ${event.job ?? event.schedule}`

/** Returns a line for each that is missing or came too early; after a crash some come again. */
export async function checkEvents({ database, delivered }: World, expected: readonly string[]): Promise<string[]> {
  const stored = (await database.storedEvents()).map(({ event }) => nameOfEvent(event))
  const found = expected.filter(name => !stored.includes(name)).map(name => `${name} was never stored`)
  let next = 0
  for (const name of delivered) {
    if (name === stored[next]) next += 1
    else if (!stored.slice(0, next).includes(name)) found.push(`the hook got ${name} before ${stored[next]}`)
  }
  return [...found, ...stored.slice(next).map(name => `the hook never got ${name}`)]
}

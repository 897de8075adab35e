// Compares the numbers in an agent's reply with those that the agent was sent.
import type { Refusal, Services } from 'fleet-host'

/** Numbers in digits. */
type Ids<Key extends string> = Readonly<Record<Key, string>>

/** Refuses a reply with `id: expected 2, got 1` for the first key of `sent` whose number in the reply is another one. */
export function compareIds<Key extends string>(
  sent: Ids<Key>,
  reply: Ids<NoInfer<Key>>,
  services: Pick<Services, 'refuse'>,
): Refusal | undefined {
  for (const key in sent) {
    // As numbers, because numbers are what is stored: 01 is 1.
    if (Number(reply[key]) !== Number(sent[key])) {
      return services.refuse(`${key}: expected ${sent[key]}, got ${reply[key]}`)
    }
  }
  return undefined
}

// What hooks decide about a command before it begins, asked in one way for requests, runs, retries and queued parts.
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Refusal, Rights } from '../contract/services.ts'
import type { JobsDeps } from './deps.ts'
import type { Decider, Question, SkippedClients, SkippedSteps } from './hook-decider.ts'
import { clientsOf } from './prepare.ts'

export const noneSkipped: SkippedClients = new Map()

/** Of a command without parts, a client cannot be skipped: it is refused. */
export async function decide(question: Question, decider: Decider): Promise<Refusal | SkippedClients> {
  if (!decider.concerns(question.loaded)) return noneSkipped
  const decision = await decider.ask(question)
  if (isRefusal(decision)) return decision
  const skipped = new Map([...decision].filter(([client]) => question.clients.includes(client)))
  const { forward, act } = question.loaded.command
  const [reason] = skipped.values()
  return reason === undefined || forward || act ? skipped : refuse(reason, 403)
}

/** What is decided about a run of several steps, by the index of the step. */
export async function decideSteps(
  steps: readonly { index: number; command: string; params: object; clients: readonly string[] }[],
  rights: Rights,
  { decider, findCommand }: Pick<JobsDeps, 'decider' | 'findCommand'>,
): Promise<Refusal | SkippedSteps> {
  const skipped = new Map<number, SkippedClients>()
  for (const { index, command, params, clients } of steps) {
    const loaded = findCommand(command)
    if (!loaded) continue
    const decision = await decide({ loaded, payload: { ...params, clients }, clients, rights, begins: true }, decider)
    // Never with 403, which would suspend a schedule: nobody has lost rights.
    if (isRefusal(decision)) return refuse(`step ${command}: ${decision.refused}`)
    skipped.set(index, decision)
  }
  return skipped
}

/** The payload for the clients that are not skipped. */
export function withoutSkipped(payload: unknown, skipped: SkippedClients): unknown {
  if (skipped.size === 0 || !(payload instanceof Object)) return payload
  return { ...payload, clients: clientsOf(payload).filter(client => !skipped.has(client)) }
}

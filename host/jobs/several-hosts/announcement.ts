// Makes the request that an agent is sent before its queued parts.
import type { AgentOutcome, AgentRequest } from '../../agents/agent-request.ts'
import type { LoadedCommand } from '../../contract/loaded-command.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { Prepare } from '../prepare.ts'
import type { ClientQueue } from '../queue/client-queue.ts'

export interface AnnouncementDeps {
  prepare: Pick<Prepare, 'reuse' | 'toAgentRequest'>
  /** The command that agents are sent before their queued parts. */
  queueCommand(): LoadedCommand | undefined
}

/** Its end opens the queue or pauses it. Undefined when no such command is loaded. */
export function toAnnouncement(
  queue: ClientQueue,
  { queueCommand, prepare }: AnnouncementDeps,
): AgentRequest | undefined {
  const loaded = queueCommand()
  const accepted = loaded && prepare.reuse(loaded, { clients: [queue.addr] })
  if (!accepted || isRefusal(accepted)) return undefined
  const onEnd = (_: string, { answered }: AgentOutcome) => queue.onAnnounced(answered)
  return prepare.toAgentRequest(loaded, accepted, onEnd)
}

// Makes the request that an agent is sent for a queued part.
import type { AgentRequest } from '../agents/agent-request.ts'
import type { LoadedCommand } from '../loaded-command.ts'
import { isRefusal, refuse } from '../refusal.ts'
import type { Refusal } from '../services.ts'
import { message } from '../system/log.ts'
import type { QueuedPart } from './client-queue.ts'
import type { Prepare } from './prepare.ts'

export interface QueuedRequestDeps {
  prepare: Pick<Prepare, 'reuse' | 'toAgentRequest'>
  findCommand(name: string): LoadedCommand | undefined
}

/** A refusal when the command is not loaded any more, or does not accept the stored payload. */
export function toQueuedRequest(
  addr: string,
  part: QueuedPart,
  onEnd: AgentRequest['onEnd'],
  { findCommand, prepare }: QueuedRequestDeps,
): AgentRequest | Refusal {
  const missing = refuse(`no command ${part.command} is loaded that can be sent`)
  const loaded = findCommand(part.command)
  if (!loaded?.command.forward) return missing
  try {
    const accepted = prepare.reuse(loaded, { ...part.payload, clients: [addr] })
    return isRefusal(accepted) ? accepted : (prepare.toAgentRequest(loaded, accepted, onEnd) ?? missing)
  } catch (error) {
    // Thrown by the command's own `forward.body`.
    return refuse(message(error))
  }
}

// Makes the requests that agents are sent for parts in the store, and before their queued parts.

import type { AgentRequest } from '../../agents/agent-request.ts'
import type { JobsCluster } from '../../cluster/cluster.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import { message } from '../../log/log.ts'
import type { ClientQueue } from './client-queue.ts'
import type { QueueDeps } from './queue-deps.ts'
import type { QueuedPart } from './queued-parts.ts'

/** Its end opens the queue or pauses it. Undefined when no such command is loaded. */
export function toAnnouncement(queue: ClientQueue, { queueCommand, prepare }: QueueDeps): AgentRequest | undefined {
  return prepare.plainRequest(queueCommand(), [queue.addr], (_, { answered }) => queue.onAnnounced(answered))
}

/** A refusal when who asked for the part may not send it now, or the command is not loaded any more or does not accept it. */
export function toQueuedRequest(
  addr: string,
  part: QueuedPart,
  onEnd: AgentRequest['onEnd'],
  deps: QueueDeps,
): AgentRequest | Refusal {
  const reason = deps.rights.refusalOf(addr, part)
  const step = { job: { id: part.job }, index: part.step }
  return reason === undefined ? toRequest([addr], part, { onEnd, step }, deps) : refuse(reason)
}

/** The same for several clients and what is stored of their step. */
export function toRequest(
  clients: string[],
  { command, payload }: Pick<QueuedPart, 'command' | 'payload'>,
  origin: Pick<AgentRequest, 'onEnd' | 'step'>,
  { findCommand, prepare, cluster }: QueueDeps,
): AgentRequest | Refusal {
  const missing = refuse(`${hostPrefix(cluster)}no command ${command} is loaded that can be sent`)
  const loaded = findCommand(command)
  if (!loaded?.command.forward) return missing
  try {
    const accepted = prepare.reuse(loaded, { ...payload, clients })
    return isRefusal(accepted) ? accepted : (prepare.toAgentRequest(loaded, accepted, origin) ?? missing)
  } catch (error) {
    // Thrown by the command's own `forward.body`.
    return refuse(message(error))
  }
}

/** Names this host in reasons that other hosts may not have. */
export function hostPrefix(cluster: Pick<JobsCluster, 'key'>): string {
  const { name } = cluster.key()
  return name && `host ${name}: `
}

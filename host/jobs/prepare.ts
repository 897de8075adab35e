// Lets a command accept its payload and encodes it as the request that agents are sent.

import type { AgentRequest, StepOfJob } from '../agents/agent-request.ts'
import { encodeRequest, toWireJson } from '../agents/connection/codec.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Check } from '../contract/loaded-file.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Refusal, Request, Services } from '../contract/services.ts'
import { message } from '../log/log.ts'
import { showValue } from '../log/shown-text.ts'
import type { CommandServices } from './command-services.ts'
import { deadlineOf, ownDeadline, sendContext } from './deadlines.ts'
import type { JobsDeps } from './deps.ts'

/** An accepted payload, and the body to forward, '' for none. */
export interface Accepted {
  payload: unknown
  body: string
}

export type Prepare = ReturnType<typeof createPrepare>

/** Seconds that an agent has to end a script whose deadline it knows, and to reply. */
const endSeconds = 10

/** Who is notified of how a request has ended, and the step of a job that it belongs to. */
interface RequestOrigin {
  onEnd?: AgentRequest['onEnd']
  step?: StepOfJob
}

export function createPrepare(deps: JobsDeps) {
  const { services } = deps
  return {
    /** Seconds in which an agent has to reply; `sent`: when it gets the request. */
    deadlineOf: (loaded: LoadedCommand, payload: unknown, sent: number) => deadlineOf(loaded, payload, sent, deps),

    /** The request for the agents; undefined when the command does not forward. */
    toAgentRequest: (loaded: LoadedCommand, accepted: Accepted, origin?: RequestOrigin) =>
      toAgentRequest(loaded, accepted, deps, origin),

    /** Calls the command's `accept` with a payload that matches its schema. `request` is the caller's, if there is one. */
    async accept(loaded: LoadedCommand, payload: unknown, request?: Request): Promise<Accepted | Refusal> {
      const unique = withUniqueClients(payload)
      // Before `accept`: a payload that is too long for an agent must leave no trace.
      const prepared = createPrepared(loaded, unique, deps)
      if (isRefusal(prepared) || !loaded.command.accept) return prepared
      const accepted = await loaded.command.accept({ payload: unique, ...services.contextOf(loaded), request })
      if (isRefusal(accepted)) return accepted
      if (accepted === unique) return prepared
      if (!(accepted instanceof Object))
        throw new Error(`accept: expected a payload or a refusal, got ${showValue(accepted)}`)
      return createPrepared(loaded, accepted, deps)
    },

    /** Prepares a payload that was accepted before. */
    reuse: (loaded: LoadedCommand, payload: unknown): Accepted | Refusal => createPrepared(loaded, payload, deps),

    /** What clients are sent without a payload, as for a connection; undefined when no such command is loaded. */
    plainRequest(loaded: LoadedCommand | undefined, clients: string[], onEnd?: AgentRequest['onEnd']) {
      const accepted = loaded && createPrepared(loaded, { clients }, deps)
      return !accepted || isRefusal(accepted) ? undefined : toAgentRequest(loaded, accepted, deps, { onEnd })
    },
  }
}

function toAgentRequest(
  loaded: LoadedCommand,
  { payload, body }: Accepted,
  deps: JobsDeps,
  { onEnd, step }: RequestOrigin = {},
): AgentRequest | undefined {
  const { services, watchImaging } = deps
  const { name, command } = loaded
  const { forward, imaging } = command
  if (!forward) return undefined
  const sent = deps.clock.now()
  return {
    command: name,
    forward,
    payload,
    bytes: encodeRequest(forward.to, body),
    deadline: deadlineOf(loaded, payload, sent, deps),
    extended: extendedRequest(loaded, { payload, body }, deps, { step, sent }),
    step,
    checkReply: createReplyCheck(loaded, payload, services),
    onReply:
      forward.onReply &&
      ((reply, client) => forward.onReply?.({ reply, client, payload, ...services.contextOf(loaded) })),
    watch: imaging && watchImaging && (addr => watchImaging(addr, name, step)),
    ...(imaging === 'write' ? creationHooks(payload, services.of(loaded), onEnd) : { onEnd }),
  }
}

/** What agents are sent that know the keys of the command's extension. */
function extendedRequest(
  loaded: LoadedCommand,
  { payload, body }: Accepted,
  deps: JobsDeps,
  { step, sent }: Pick<RequestOrigin, 'step'> & { sent: number },
): AgentRequest['extended'] {
  const { forward, imaging } = loaded.command
  const ticket = imaging && deps.transfers?.issue(payload, imaging === 'write', step)
  const extension = {
    ...forward?.extension?.(sendContext(loaded, payload, sent, deps)),
    ...ticket?.extension,
  }
  const keys = Object.keys(extension)
  if (!forward || keys.length === 0) return undefined
  const json = toWireJson(extension)
  const seconds = deadlineOf(loaded, payload, sent, deps)
  return {
    keys,
    bytes: encodeRequest(forward.to, body === '' ? json : `${body.slice(0, -1)},${json.slice(1)}`),
    deadline: ownDeadline(loaded, payload, sent, deps) === undefined ? seconds : seconds + endSeconds,
    watch: ticket?.watch,
  }
}

/** An older file of the image is kept before the agent writes the new one, and comes back after a failure. */
function creationHooks(
  payload: unknown,
  { images }: Pick<Services, 'images'>,
  onEnd: AgentRequest['onEnd'],
): Pick<AgentRequest, 'beforeSend' | 'onEnd'> {
  // Of clients that were refused, the end is not that of a creation.
  const begun = new Set<string>()
  return {
    beforeSend(addr) {
      const obstacle = images.beginCreation(addr, payload)
      if (obstacle === undefined) begun.add(addr)
      return obstacle
    },
    onEnd(addr, outcome, part) {
      if (begun.delete(addr)) images.endCreation(payload, outcome.result)
      onEnd?.(addr, outcome, part)
    },
  }
}

/** The check by the command's schema and then by its `checkReply`. Undefined: the command expects no body. */
function createReplyCheck(loaded: LoadedCommand, payload: unknown, services: CommandServices): Check | undefined {
  const { forward } = loaded.command
  if (!forward?.checkReply) return loaded.checkReply
  const refusalOf = (reply: unknown): string | undefined => {
    const result: unknown = forward.checkReply?.({ reply, payload, ...services.contextOf(loaded) })
    if (isRefusal(result)) return result.refused
    if (result === undefined) return undefined
    throw new Error(`checkReply: expected a refusal or nothing, got ${showValue(result)}`)
  }
  return reply => {
    const mismatch = loaded.checkReply?.(reply)
    if (mismatch !== undefined) return mismatch
    try {
      return refusalOf(reply)
    } catch (error) {
      // Thrown by the command, or the wrong result above: a failure of that client only.
      services.of(loaded).log.error('checkReply failed', error)
      return message(error)
    }
  }
}

function createPrepared(loaded: LoadedCommand, payload: unknown, deps: JobsDeps): Accepted | Refusal {
  const body = encodeBody(loaded, payload, deps)
  return isRefusal(body) ? body : { payload, body }
}

export function clientsOf(payload: unknown): string[] {
  if (!(payload instanceof Object && 'clients' in payload && Array.isArray(payload.clients))) return []
  return payload.clients.filter(client => typeof client === 'string')
}

/** The part of a payload that a job stores for all its clients. */
export function withoutClients(payload: unknown): Record<string, unknown> {
  if (!(payload instanceof Object)) return {}
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key !== 'clients'))
}

/** Repeated addresses count once (open points, section 1). */
function withUniqueClients(payload: unknown): unknown {
  const clients = clientsOf(payload)
  const unique = [...new Set(clients)]
  return unique.length === clients.length || !(payload instanceof Object) ? payload : { ...payload, clients: unique }
}

/** The JSON to forward, '' for none. */
function encodeBody(loaded: LoadedCommand, payload: unknown, { services, limits }: JobsDeps): string | Refusal {
  const { forward } = loaded.command
  if (!forward || forward.body === 'none') return ''
  const body = forward.body ? forward.body({ payload, ...services.contextOf(loaded) }) : withoutClients(payload)
  if (Object.keys(body).length === 0) return ''
  try {
    const json = toWireJson(body)
    if (json.length <= limits.forward) return json
    return refuse(`payload: expected at most ${limits.forward} bytes for an agent, got ${json.length}`)
  } catch (error) {
    if (error instanceof RangeError) return refuse('payload: expected less nesting, got too many levels')
    throw error
  }
}

// Parses what agents send: replies to requests, and session events.

import { toPrintable } from '../../log/printable.ts'
import type { FleetEvent } from '../../system/events.ts'
import type { AgentRequest } from '../agent-request.ts'

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299

/** Whether a reply with this status means success and ends the request. After a 202 most commands get another reply. */
export function isFinalSuccess(request: AgentRequest, status: number): boolean {
  return status === 202 ? request.forward.endsOn202 === true : isSuccess(status)
}

/** Characters of what an agent says of a failure. */
const reasonLength = 200

/** The reason of a failure: the status, and what the agent says of it, else what the command knows of that status. */
export function refusalReason({ forward }: AgentRequest, status: number, reply: unknown): string {
  const own: unknown = reply instanceof Object ? Reflect.get(reply, 'reason') : undefined
  const reason = typeof own === 'string' ? toPrintable(own, reasonLength) : ''
  const detail = reason || forward.statusReasons?.[status]
  return detail === undefined ? `agent replied ${status}` : `agent replied ${status}: ${detail}`
}

/**
 * Parses and checks the body of a reply. With `mayBeStale` a body is also rejected where the request expects none: it
 * may be the late reply to an earlier request.
 */
export function parseReply(
  request: AgentRequest,
  body: string,
  mayBeStale: boolean,
): { reply?: unknown; mismatch?: string | undefined } {
  let reply: unknown
  try {
    reply = JSON.parse(body)
  } catch {
    return { mismatch: `body: expected JSON, got ${JSON.stringify(body.slice(0, 40))}` }
  }
  const mismatch = request.checkReply ? request.checkReply(reply) : mayBeStale ? 'body: expected none' : undefined
  return { reply, mismatch }
}

/** Characters of a user's name. */
const userLength = 64

export interface SessionEvent {
  action: 'start' | 'stop'
  /** Printable, at most 64 characters. */
  user?: string
}

/** What an agent says in the body of a 103; undefined for what is no JSON with a key `event`. */
export function parseEvent(body = ''): { event: unknown } | undefined {
  try {
    const event: unknown = JSON.parse(body)
    return event instanceof Object && 'event' in event ? event : undefined
  } catch {
    return undefined
  }
}

/** A login (`start`) or a logout (`stop`); undefined for any other event. */
export function toSessionEvent(event: { event: unknown } | undefined): SessionEvent | undefined {
  if (event?.event !== 'session' || !('action' in event)) return undefined
  const { action } = event
  if (action !== 'start' && action !== 'stop') return undefined
  if (!('user' in event && typeof event.user === 'string')) return { action }
  return { action, user: toPrintable(event.user, userLength) }
}

export function toFleetEvent(addr: string, { action, user }: SessionEvent): FleetEvent {
  return { type: action === 'start' ? 'session-login' : 'session-logout', addr, ...(user !== undefined && { user }) }
}

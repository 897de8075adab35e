// What hosts report to each other of an agent besides its entry: the login, the introduction and the running command.
import type { Hello } from '../contract/services.ts'

export interface AgentDetails {
  /** Somebody is logged in; the agent may not say who. */
  session?: { user?: string }
  hello?: Hello
  /** `payload` has only the short values. */
  request?: { command: string; payload: Record<string, unknown> }
}

/** Characters: the names of files and computers. */
const shortText = 255

/** The request without lists, objects and long texts: a payload may name thousands of clients. */
export function toRequestDetails({ command, payload }: { command: string; payload: unknown }): AgentDetails['request'] {
  const values = payload instanceof Object ? Object.entries(payload).filter(([, value]) => isShort(value)) : []
  return { command, payload: Object.fromEntries(values) }
}

const isShort = (value: unknown) =>
  typeof value === 'string' ? value.length <= shortText : typeof value === 'number' || typeof value === 'boolean'

/** The details of another host's agent. */
export function detailsOf({ details }: { details: Record<string, unknown> }): AgentDetails {
  // `as`: they are written by hosts of this fleet only, from the type above.
  return details as AgentDetails
}

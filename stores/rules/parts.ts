// The life of a part of a job: its states, and how an update changes it.
import type { EndedPart, Part, PartCounts, PartState, PartUpdate } from '../store.ts'

export const isUnfinished = ({ state }: { readonly state: PartState }): boolean =>
  state === 'queued' || state === 'sent'

/** What a change of a part has ended; undefined when the part is unfinished after it. */
export function endOf(
  { job, index, state, reason = '', ended = 0 }: PartUpdate,
  { client, step }: Pick<Part, 'client' | 'step'>,
): EndedPart | undefined {
  const isEnded = state !== undefined && state !== 'queued' && state !== 'sent'
  return isEnded ? { job, index, client, step, state, reason, ended } : undefined
}

export const noParts = (): PartCounts => ({
  queued: 0,
  sent: 0,
  success: 0,
  failure: 0,
  skipped: 0,
  expired: 0,
  cancelled: 0,
})

type Values<Output> = Omit<PartUpdate, 'job' | 'index' | 'output'> & { output?: Output | undefined }

/** Undefined values change nothing. Without a loop over the keys, because it runs for each of thousands of clients. */
export function mergeUpdate<Output>(
  part: Values<Output>,
  { state, reason, sent, ended, expires, output }: Values<Output>,
): void {
  if (state !== undefined) part.state = state
  if (reason !== undefined) part.reason = reason
  if (sent !== undefined) part.sent = sent
  if (ended !== undefined) part.ended = ended
  if (expires !== undefined) part.expires = expires
  if (output !== undefined) part.output = output
}

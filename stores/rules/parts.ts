// The life of a part of a job: how an update changes it, and what it has ended.
import type { EndedPart, Part, PartUpdate } from '../store.ts'
import { isUnfinished } from './part-states.ts'

/** What a change of a part has ended; undefined when the part is unfinished after it. */
export function endOf(
  { job, index, state, reason = '', ended = 0 }: PartUpdate,
  { client, step }: Pick<Part, 'client' | 'step'>,
): EndedPart | undefined {
  if (state === undefined || isUnfinished({ state })) return undefined
  return { job, index, client, step, state, reason, ended }
}

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

// Parts of jobs as parameters of one statement: an array for each column, so that any number of parts fits in.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { mergeUpdate } from '../../rules/parts.ts'
import type { IndexedPart, PartUpdate } from '../../store.ts'

/** An output of at most this many bytes takes no more space than the columns for a long one. */
const shortBytes = 20

/** The columns that a new value of `output` needs; short and dropped outputs have no number. */
const outputColumns = (output: RawBuilder<string>) => {
  const isLong = sql<SqlBool>`octet_length(${output}) > ${sql.lit(shortBytes)}`
  return {
    number: sql<number | null>`case when ${isLong} then nextval('output_numbers') end`,
    bytes: sql<number>`case when ${isLong} then octet_length(${output}) else 0 end`,
  }
}

/** A part that is stored; `job` is absent when the statement has the id of its job elsewhere. */
export type NewPart = IndexedPart & { job?: number }

/** The columns of `job_parts` apart from `job`, in the order of `partSelection`. */
export const partNames = [
  'part',
  'client',
  'step',
  'state',
  'reason',
  'queued',
  'sent',
  'ended',
  'expires',
  'output',
  'output_dropped',
  'output_number',
  'output_bytes',
] as const

/** What `select` reads from `partRows` for the columns of `partNames`. */
export const partSelection = (() => {
  const { number, bytes } = outputColumns(sql.ref('rows.output'))
  return sql`
    rows.part, rows.client, rows.step, rows.state, rows.reason, rows.queued, rows.sent, rows.ended, rows.expires,
    rows.output, rows.output_dropped, ${number}, ${bytes}`
})()

/** Further columns of `partRows`: arrays as long as the list of parts. */
interface MoreColumns {
  names: RawBuilder<unknown>
  values: RawBuilder<unknown>
}

/** The parts as an item of `from`, with the name `rows`. The order of the list is that of the numbers of outputs. */
export function partRows(parts: readonly NewPart[], more?: MoreColumns): RawBuilder<unknown> {
  const column = <Value>(read: (part: NewPart) => Value) => parts.map(read)
  return sql`
    unnest(
      ${column(({ job = 0 }) => job)}::bigint[],
      ${column(({ index }) => index)}::integer[],
      ${column(({ client }) => client)}::text[],
      ${column(({ step }) => step)}::integer[],
      ${column(({ state }) => state)}::text[],
      ${column(({ reason }) => reason)}::text[],
      ${column(({ queued }) => queued)}::bigint[],
      ${column(({ sent }) => sent)}::bigint[],
      ${column(({ ended }) => ended)}::bigint[],
      ${column(({ expires }) => expires)}::double precision[],
      ${column(({ output }) => output)}::text[],
      ${column(({ output_dropped = false }) => output_dropped)}::boolean[]
      ${more ? sql`, ${more.values}` : sql``}
    ) as rows (
      job, part, client, step, state, reason, queued, sent, ended, expires, output, output_dropped
      ${more ? sql`, ${more.names}` : sql``}
    )`
}

/** The largest index of a part, which is an integer of 32 bits. */
const lastIndex = 2 ** 31 - 1

/**
 * At most one update for each part, in the order of jobs and parts, so that writers lock the rows in the same order.
 * Of several values of one key the last one stays. Without updates of parts that cannot exist.
 */
export function mergeUpdates(updates: readonly PartUpdate[]): PartUpdate[] {
  const merged = new Map<string, PartUpdate>()
  for (const next of updates) {
    if (!canExist(next)) continue
    const { job, index } = next
    const key = `${job} ${index}`
    const update = merged.get(key) ?? { job, index }
    mergeUpdate(update, next)
    merged.set(key, update)
  }
  return [...merged.values()].sort((a, b) => a.job - b.job || a.index - b.index)
}

/** Whether the numbers can be those of a part; others would be refused by the server. */
export const canExist = ({ job, index }: PartUpdate): boolean =>
  Number.isSafeInteger(job) && Number.isInteger(index) && index >= 0 && index <= lastIndex

/** The updates as arguments of `unnest`, with the names of their columns; null is a value that stays. */
export function updateColumns(updates: readonly PartUpdate[]): RawBuilder<unknown> {
  const column = <Key extends keyof PartUpdate>(key: Key) => updates.map(update => update[key])
  return sql`
    ${column('job')}::bigint[],
    ${column('index')}::integer[],
    ${column('state')}::text[],
    ${column('reason')}::text[],
    ${column('sent')}::bigint[],
    ${column('ended')}::bigint[],
    ${column('expires')}::double precision[],
    ${column('output')}::text[]`
}

export const updateNames = sql`job, part, state, reason, sent, ended, expires, output`

/** What `update` sets from a table `changes`. */
export const updatedValues = (() => {
  const { number, bytes } = outputColumns(sql.ref('changes.output'))
  return sql`
    state = coalesce(changes.state, job_parts.state),
    reason = coalesce(changes.reason, job_parts.reason),
    sent = coalesce(changes.sent, job_parts.sent),
    ended = coalesce(changes.ended, job_parts.ended),
    expires = coalesce(changes.expires, job_parts.expires),
    output = coalesce(changes.output, job_parts.output),
    output_dropped = job_parts.output_dropped and changes.output is null,
    output_number = case when changes.output is null then job_parts.output_number else ${number} end,
    output_bytes = case when changes.output is null then job_parts.output_bytes else ${bytes} end`
})()

/** Changes the parts that exist. */
export const updateParts = (updates: readonly PartUpdate[]): RawBuilder<unknown> => sql`
  with changes as materialized (
    select changes.*
    from unnest(${updateColumns(updates)}) as changes (${updateNames})
    join job_parts using (job, part)
    order by job, part
    for no key update of job_parts
  )
  update job_parts set ${updatedValues}
  from changes
  where job_parts.job = changes.job and job_parts.part = changes.part`

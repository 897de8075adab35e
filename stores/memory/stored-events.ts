// Events of writes, which wait until they have been read.
import { storedEvent } from '../records/module.ts'
import type { RecordedStore, StoredEvents } from '../store.ts'
import { firstIndex } from './tables/sorted-groups.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext, Transaction } from './tables/transaction.ts'

/** The only row of the table of losses. */
const lossId = 1

/** From so many on that are deleted together, sorting the others again takes less time. */
const manyEvents = 100

/** Reads are transactions, which wait for those before: no reader sees an event whose write fails. */
export function storedEvents(
  context: StoreContext,
  createMethods: (context: StoreContext) => RecordedStore,
): StoredEvents<RecordedStore> {
  const { tables, recorded, mutate } = context
  const { all, eventOrder } = tables
  const sorted = () => eventOrder.rows('', all.events.all())
  return {
    record: types => recorded.set(types),
    recording(derive, call) {
      const recordingMutate: StoreContext['mutate'] = work =>
        mutate(transaction => {
          const result = work(transaction)
          // `as`: the result of a method that records is that of its mutation.
          addEvents(context, transaction, derive(result as never))
          return result
        })
      return call(createMethods({ ...context, mutate: recordingMutate }))
    },
    read: (after, limit) =>
      mutate(() => {
        const rows = sorted()
        const from = firstIndex(rows, ({ id }) => id > after)
        return rows.slice(from, from + limit).map(storedEvent.read)
      }),
    trim: (id, keep) => mutate(transaction => trim(tables, transaction, { id, keep })),
    state: () =>
      mutate(() => {
        const loss = all.losses.get(lossId)
        return {
          last: all.events.last,
          ...(loss && { lost: { id: loss.event, since: loss.since, until: loss.until } }),
        }
      }),
  }
}

/** To be called in the mutation that they are about. */
export function addEvents(
  { tables: { all }, recorded }: Pick<StoreContext, 'tables' | 'recorded'>,
  transaction: Transaction,
  events: readonly { type: string }[],
): void {
  for (const event of recorded.of(events)) {
    transaction.put('events', storedEvent.store({ id: all.events.nextId(), time: Date.now(), event }))
  }
}

function trim({ all, eventOrder }: Tables, transaction: Transaction, limits: { id: number; keep: number }): void {
  const rows = eventOrder.rows('', all.events.all())
  const read = firstIndex(rows, ({ id }) => id > limits.id)
  const deleted = rows.slice(0, Math.max(read, rows.length - limits.keep))
  if (deleted.length > manyEvents) eventOrder.forget()
  for (const { id } of deleted) transaction.delete('events', id)
  const loss = all.losses.get(lossId)
  const unread = loss && loss.event > limits.id ? loss : undefined
  const [first, last] = [deleted[read], deleted.at(-1)]
  if (first && last) {
    transaction.put('losses', { id: lossId, event: last.id, since: unread?.since ?? first.time, until: last.time })
  } else if (loss && !unread) transaction.delete('losses', lossId)
}

// Writes the documents of the history, which another host may write, too.
import { groupBy } from '../../stores/rules/group-by.ts'
import type { Documents } from '../../stores/store.ts'
import { slices } from '../system/request-slices.ts'
import { addChanges, type ComputerChange } from './changes.ts'
import { addCounts, type Counted, readBits, readHour, tickOf, writeHour } from './counts.ts'
import { changesCollection, changesKey, countsCollection, dayKey, hourKey, listBetween } from './history-documents.ts'

/** Documents that are deleted at once, so that the next hour deletes the rest of very many. */
const mostDeleted = 1000

/** Attempts to write what another host writes, too. */
const mostAttempts = 20

/** `change` gets the value, undefined when there is none, and is called again when another host has written meanwhile. */
async function update(
  documents: Documents,
  key: typeof countsCollection & { key: string },
  change: (value: string | undefined) => string,
): Promise<void> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const stored = await documents.find(key)
    const value = change(stored?.value)
    if ((await documents.put({ ...key, value }, { version: stored?.version ?? 0 })) !== 'conflict') return
  }
  throw new Error(`${key.collection} ${key.key}: expected it to be stored, got ${mostAttempts} conflicts`)
}

/** Whether this count of its hour, or a later one, has been stored. */
export async function isRecorded(documents: Documents, time: number): Promise<boolean> {
  const stored = await documents.find({ ...countsCollection, key: hourKey(time) })
  return stored !== undefined && readBits(stored.value).observed >> tickOf(time) > 0
}

export async function writeChanges(documents: Documents, changes: readonly ComputerChange[]): Promise<void> {
  for (const [key, added] of groupBy(changes, ({ time, id }) => changesKey(time, id))) {
    await update(documents, { ...changesCollection, key }, value => addChanges(value, added))
    await slices.pause()
  }
}

/** By their times. */
export async function writeCounts(documents: Documents, counts: ReadonlyMap<number, Counted>): Promise<void> {
  for (const [key, ticks] of groupBy(counts, ([time]) => hourKey(time)))
    await update(documents, { ...countsCollection, key }, value => {
      const hour = readHour(value)
      for (const [time, counted] of ticks) addCounts(hour, tickOf(time), counted)
      return writeHour(hour)
    })
}

export async function deleteOlder(documents: Documents, time: number): Promise<void> {
  await deleteBefore(documents, countsCollection, hourKey(time))
  await deleteBefore(documents, changesCollection, dayKey(time))
}

/** Those before a key, of many the first ones. */
async function deleteBefore(documents: Documents, collection: typeof countsCollection, end: string) {
  let deleted = 0
  for await (const { key } of listBetween(documents, collection, '', end)) {
    await documents.delete({ ...collection, key })
    deleted += 1
    if (deleted === mostDeleted) return
  }
}

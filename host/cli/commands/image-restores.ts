// What is to restore an image: schedules that still fire.
import type { ApiClient } from '../api/client.ts'
import { readRecords } from '../api/records.ts'
import { readNextTimes } from './schedule-times.ts'
import {
  type RecordKind,
  readStored,
  recordWords,
  type Stored,
  type StoredRecord,
  usersOf,
} from './scheduled-records.ts'

/** `; to be restored by schedule Rollout (schedule 2)`; '' without any. */
export async function describeRestores(api: ApiClient, id: number): Promise<string> {
  const image = (await readRecords(api, 'image')).find(each => each.id === id)
  const stored = await readStored(api)
  const procedures = stored.procedure.filter(({ steps }) => steps.some(step => image && restores(step, image.name)))
  const words = new Set<string>()
  for (const schedule of procedures.flatMap(each => schedulesOf(stored, 'procedure', each.id)))
    if ((await readNextTimes(api, schedule.id, '1')).next.length > 0) words.add(recordWords(schedule))
  return words.size === 0 ? '' : `; to be restored by ${[...words].join(', ')}`
}

const restoreCommands = ['image-restore']

/** The image, or an older file of it. */
function restores(step: Stored['procedure'][number]['steps'][number], image: string): boolean {
  if (!('command' in step) || !restoreCommands.includes(step.command)) return false
  return String(step.params.name).replace(/\.v\d+$/, '') === image
}

/** What runs it, at whatever depth. */
const schedulesOf = (stored: Stored, kind: RecordKind, id: number): StoredRecord[] =>
  usersOf(stored, kind, id).flatMap(user => (user.kind === 'schedule' ? user : schedulesOf(stored, user.kind, user.id)))

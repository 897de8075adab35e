// What a change that can be taken back is for callers.
import type { UndoItem } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import type { UndoEntry } from '../contract/services.ts'
import type { NameOf } from '../store/named-ids.ts'
import { binDays } from '../store/undo-bin.ts'
import { doneOf, whatOf } from '../store/undo-words.ts'

const dayMilliseconds = 86_400_000

type Repository = Pick<Options['repository'], 'directory' | 'keep_days'>

/** How long a change can be taken back: an image does not come back without its file. */
export const daysOf = (kind: string, { directory, keep_days }: Repository): number =>
  kind === 'image' && directory !== '' ? Math.min(binDays, keep_days) : binDays

export function describeChange(item: UndoItem, nameOf: NameOf, repository: Repository): UndoEntry {
  const { id, at, by, kind } = item
  return {
    id,
    at: new Date(at).toISOString(),
    expires: new Date(at + daysOf(kind, repository) * dayMilliseconds).toISOString(),
    by,
    ...doneOf(item, nameOf),
    what: whatOf(item),
  }
}

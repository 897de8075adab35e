// What a change that can be taken back is for callers.
import type { UndoItem } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import type { UndoEntry } from '../contract/services.ts'
import type { NameOf } from '../store/named-ids.ts'
import { binDays } from '../store/undo-bin.ts'
import { doneOf, whatOf } from '../store/undo-words.ts'

const dayMilliseconds = 86_400_000

export function describeChange(
  item: UndoItem,
  nameOf: NameOf,
  { directory, keep_days: fileDays }: Pick<Options['repository'], 'directory' | 'keep_days'>,
): UndoEntry {
  const { id, at, by, kind } = item
  // An image does not come back without its file.
  const days = kind === 'image' && directory !== '' ? Math.min(binDays, fileDays) : binDays
  return {
    id,
    at: new Date(at).toISOString(),
    expires: new Date(at + days * dayMilliseconds).toISOString(),
    by,
    ...doneOf(item, nameOf),
    what: whatOf(item),
  }
}

// What deletions, edits and imports have changed, for some days: they can be taken back.
import {
  about,
  json,
  list,
  milliseconds,
  number,
  optional,
  optionalText,
  orNone,
  type RecordOf,
  record,
  text,
} from './record-columns.ts'

export const undoItem = record({
  id: number,
  at: milliseconds,
  by: about('The name of who did it.', text),
  account: about('The account of who did it: user:3, token:7 or admin; null: it had none.', optionalText),
  kind: about('What was deleted or edited: the outermost of several records; or import.', text),
  record: about('The id of that record, or of the first one of several; null for an import.', orNone(number, 0)),
  name: about('Of that record, or of the first one of several.', text),
  counts: about(
    'Of the deleted records by their collections, and of computers that were added and changed.',
    json<Counts>(),
  ),
  fields: about(
    'What was edited of records: their keys; null where records were deleted or added.',
    optional(list(text)),
  ),
  changes: about(
    'What was edited value by value, the first of many; null where nothing was.',
    optional(json<ValueChange[]>()),
  ),
})

/** A value that an edit has changed; null: there was none, there is none. */
export interface ValueChange {
  kind: string
  /** The id of the record, and its name after the edit. */
  record: number
  name: string
  field: string
  before: unknown
  after: unknown
}

type Counts = Readonly<Record<string, number>>

export const undo = record(
  { ...undoItem.columns, content: about('JSON of what is to be stored again, with the lists that it names.', text) },
  'What deletions, edits and imports have changed, so that they can be taken back for some days.',
)

/** What can be taken back. */
export interface UndoItem extends RecordOf<typeof undoItem> {}

export interface Undo extends RecordOf<typeof undo> {}

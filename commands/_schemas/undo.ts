// The schema of what can be taken back, in answers.
import { described, integer, list, object, text, time } from './objects.ts'

/** Of what can be deleted. */
export const deletedKinds = [
  'center',
  'room',
  'computer',
  'image',
  'schedule',
  'task',
  'procedure',
  'group',
  'repository',
  'token',
  'user',
] as const

const named = object({
  kind: described(text, 'of the records', 'computer'),
  count: described(integer, 'so many', 12),
  names: described(list(text), 'of 500 records at most', ['pc-1']),
})

const values = list(
  object({
    kind: described(text, 'of the record', 'computer'),
    record: described(integer, 'its id', 3),
    name: described(text, 'its name after the edit', 'pc-1'),
    field: described(text, 'the key; `when`: all of when a schedule fires', 'room'),
    before: described({}, 'what comes back: as the API has it, of an id the name; null: none', 'Studio'),
    after: described({}, 'what the edit has set', 'Lab'),
  }),
)

/** What was deleted, edited or imported. */
export const done = {
  kind: {
    enum: [...deletedKinds, 'import'],
    description: 'what was deleted or edited: the outermost of several records',
    examples: ['room'],
  },
  'record?': described(integer, 'the id of that record, or of the first one of several', 3),
  name: described(text, 'of that record', 'Studio'),
  counts: {
    type: 'object',
    additionalProperties: integer,
    description:
      'deleted records by kind; how many were `added` by an import, and `changed`; how often an edit was `undone`',
    examples: [{ rooms: 1, computers: 12 }],
  },
  'fields?': described(list(text), 'the keys that an edit has changed; absent of deletions and imports', ['mac']),
  'changes?': described(
    values,
    `what an edit, or an import, has changed of records: the first 20 values; longer ones are cut and end in \`…\``,
  ),
} as const

export const change = object({
  id: described(integer, 'for `POST /undo`', 12),
  at: time,
  expires: described(time, 'when it is removed for good', '2026-10-14T08:00:00.000Z'),
  by: described(text, 'who did it', 'user anna'),
  ...done,
  'back?': described(list(named), 'with `id` in the query, of deletions: what comes back'),
  'again?': described(list(text), 'of `POST /undo`: what had nothing to run on without it', [
    'schedule Update (schedule 3)',
  ]),
  'later?': described(
    list(
      object({
        id: described(integer, 'of that edit', 14),
        at: time,
        by: described(text, 'who did it', 'user anna'),
        fields: described(list(text), 'what it has set', ['name']),
        names: described(list(text), 'of the records, as far as `changes` of that edit names them', ['pc-1']),
        'changes?': described(
          values,
          'the values that are lost, in `after`, and what comes back in their place, as far as both are known; absent ' +
            'for callers with limits',
        ),
      }),
    ),
    'with `id` in the query: the edits since of the same values, or of computers that an import has added, which ' +
      '`POST /undo` replaces with `overwrite` only',
  ),
  'gone?': described(list(named), 'with `id` in the query, of imports: what is deleted'),
  what: described(text, 'the same for people', 'room Studio with 12 computers'),
})

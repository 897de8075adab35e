// The schema of what a deletion does to other records and to jobs.
import { described, integer, list, object, text } from './objects.ts'

export const deletionEffect = object({
  effect: {
    enum: ['unused', 'others', 'running', 'cancelled', 'restores'],
    description:
      'unused: has no computer to run on then; others: still has some; running: goes on; cancelled: what waits; ' +
      'restores: has nothing to restore then',
    examples: ['unused'],
  },
  what: list(
    object({
      kind: { enum: ['schedule', 'task', 'procedure', 'job'], examples: ['schedule'] },
      id: described(integer, 'its id', 3),
      'name?': described(text, 'absent of jobs', 'Updates'),
      'computers?': described(integer, 'on so many: of others the rest, of jobs those that are deleted', 2),
      'addresses?': described(integer, 'in place of `computers`, where no computer has a record: so many', 1),
    }),
  ),
  text: described(text, 'the same for people', 'runs on no computer then: schedule Updates (schedule 3)'),
})

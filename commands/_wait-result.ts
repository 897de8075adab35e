// The schema of why a queued part waits.
import { described, integer, result } from './_result-schemas.ts'

export const waiting = described(
  result(
    {
      for: {
        enum: ['slot', 'batch', 'logout'],
        description: 'a slot of its repository, its turn in the batch of the job, or a logout',
      },
      place: described(integer, 'from 1, among all that wait for the same', 7),
      seconds: described(integer, 'until it starts, about', 1200),
    },
    ['place', 'seconds'],
  ),
  'why a queued part waits although its client could take it',
)

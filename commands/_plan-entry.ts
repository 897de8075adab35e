// The schema of a planned restore in the list of them.
import { described, flag, integer, like, result, text, time } from './_result-schemas.ts'
import { runOptions } from './_task-fields.ts'

export const planEntry = result(
  {
    schedule: described(integer, 'its id', 3),
    task: described(integer, 'id of what it runs', 7),
    name: like(text, 'win11 2026-11-23 22:00'),
    image: like(text, 'win11'),
    disk: like(text, '1'),
    partition: like(text, '2'),
    computers: described(integer, 'absent for a task with a scope', 96),
    suspended: described(flag, 'it does not fire', false),
    options: described(result(runOptions, Object.keys(runOptions)), 'how it runs', { until: '06:30', batch: 20 }),
    next: described(time, 'when it starts; absent when it never does any more'),
    missed: described(
      time,
      'when the last run was due that did not take place; absent after a later run and a restart',
    ),
    job: described(integer, 'id of its newest job', 9),
  },
  ['computers', 'next', 'missed', 'job'],
)

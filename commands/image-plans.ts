// Lists the planned restores of images, with when they start and their newest job.
import type { Command } from 'fleet-host'
import { described, flag, integer, like, list, object, optional, text, time } from './_schemas/objects.ts'
import { runOptions } from './_schemas/tasks.ts'

const planEntry = object({
  schedule: described(integer, 'its id', 3),
  task: described(integer, 'id of what it runs', 7),
  name: like(text, 'win11 2026-11-23 22:00'),
  image: like(text, 'win11'),
  disk: like(text, '1'),
  partition: like(text, '2'),
  'computers?': described(integer, 'absent for a task with a scope', 96),
  suspended: described(flag, 'it does not fire', false),
  options: described(object(optional(runOptions)), 'how it runs', { until: '06:30', batch: 20 }),
  'next?': described(time, 'when it starts; absent when it never does any more'),
  'missed?': described(
    time,
    'when the last run was due that did not take place; absent after a later run and a restart',
  ),
  'job?': described(integer, 'id of its newest job', 9),
})

export default {
  summary: 'List the planned restores of images',
  group: 'Disks and images',
  route: 'GET /image/plans',
  heavy: true,
  returns: object({ plans: list(planEntry) }),
  scoped: true,
  answer: async ({ services, request }) => ({ plans: await services.plans.list('image-restore', request) }),
} satisfies Command

// Plans the restore of an image in rooms or on computers: a task, and a schedule that runs it once; without `at` it runs at once.
import type { Command } from 'fleet-host'
import { payload, planResult } from './_schemas/planned-restores.ts'

export default {
  summary: 'Plan the restore of an image',
  group: 'Disks and images',
  example: { image: 'ubuntu', rooms: [1], disk: '1', partition: '2', at: '22:00', until: '06:30', batch: 20 },
  route: 'POST /image/plan',
  returns: planResult,
  access: 'operate',
  scoped: true,
  confirm: 'ask',
  audit: { preview: 'dry_run' },
  payload,
  answer: ({ payload, services, request }) => services.plans.add('image-restore', payload, request),
} satisfies Command<typeof payload>

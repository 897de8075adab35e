// Removes deleted files for good, before their time.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'

const payload = object({
  entry: { type: 'integer', minimum: 1, description: 'id of `GET /image/bin`', examples: [1789372800000] },
})

export default {
  summary: 'Remove a deleted image for good',
  group: 'Disks and images',
  route: 'POST /image/purge',
  confirm: 'ask',
  payload,
  answer: ({ payload, services }) => services.images.purge(payload.entry),
} satisfies Command<typeof payload>

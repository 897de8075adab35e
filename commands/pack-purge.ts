// Deletes what a pack keeps: its documents, its settings and its role.
import type { Command } from 'fleet-host'
import { integer, object } from './_schemas/objects.ts'
import { packPayload } from './_schemas/packs.ts'

export default {
  summary: 'Delete what a pack keeps',
  group: 'Modules',
  route: 'POST /pack/purge',
  access: 'admin',
  confirm: 'ask',
  payload: packPayload,
  returns: object({ documents: { ...integer, description: 'how many were deleted', examples: [12] } }),
  answer: ({ payload, services }) => services.packs.purge(payload.pack),
} satisfies Command<typeof packPayload>

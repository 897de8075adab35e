// Deletes what a pack keeps: its documents, its settings and its role.
import type { CommandOf } from 'fleet-host'
import { integer, object } from './_schemas/objects.ts'
import { packPayload } from './_schemas/packs.ts'

const returns = object({ documents: { ...integer, description: 'how many were deleted', examples: [12] } })

export default {
  summary: 'Delete what a pack keeps',
  group: 'Modules',
  route: 'POST /pack/purge',
  access: 'admin',
  confirm: 'ask',
  payload: packPayload,
  returns,
  answer: ({ payload, services }) => services.packs.purge(payload.pack),
} satisfies CommandOf<{ payload: typeof packPayload; returns: typeof returns }>

// Says what a deletion would do to other records, before it is done.
import type { CommandOf } from 'fleet-host'
import { deletionEffect } from './_schemas/deletion-effect.ts'
import { anyId, described, integer, list, object, text } from './_schemas/objects.ts'
import { deletedKinds } from './_schemas/undo.ts'

const payload = object({
  kind: {
    enum: [...deletedKinds, 'address'],
    description: 'of what is to be deleted; address: the computers get others',
  },
  'id?': { ...anyId, description: 'its id; absent for computers' },
  'clients?': { $ref: 'clients', description: 'the computers' },
})

const returns = object({
  effects: list(
    described(text, 'for people', 'runs on no computer then: schedule Updates (schedule 3)'),
    'commands that are cancelled, jobs that run, and schedules that lose computers or have nothing to restore then',
  ),
  details: list(deletionEffect, 'the same for programs'),
  undo_days: described(integer, 'for so many days the caller can take it back; 0: not at all', 30),
})

export default {
  summary: 'Say what a deletion would do to schedules and jobs',
  group: 'Server',
  example: { kind: 'room', id: 1 },
  route: 'GET /deletion',
  scoped: true,
  payload,
  returns,
  async answer({ payload, services, request }) {
    const details = await services.undo.effectDetails(payload, request)
    const undo_days = services.undo.daysFor(payload.kind, request)
    return { effects: details.map(({ text }) => text), details, undo_days }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>

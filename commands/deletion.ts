// Says what a deletion would do to other records, before it is done.
import type { CommandOf } from 'fleet-host'
import { deletionEffect } from './_schemas/deletion-effect.ts'
import { anyId, described, list, object, text } from './_schemas/objects.ts'

const payload = object({
  kind: {
    enum: ['center', 'room', 'computer', 'image', 'address'],
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
    return { effects: details.map(({ text }) => text), details }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>

// Compares the computers of a room, to show which one differs from the others.
import type { CommandOf } from 'fleet-host'
import { differences as returns } from './_schemas/fleet-counts.ts'
import { anyId, object } from './_schemas/objects.ts'

const payload = object({ room: anyId })

export default {
  summary: 'Show which computers of a room differ',
  group: 'Inventory',
  route: 'GET /room/differences',
  returns,
  scoped: true,
  payload,
  answer: ({ payload, services, request }) => services.fleetInventory.differences(Number(payload.room), request.rights),
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>

// Counts models, memory, disks, processors and systems of the computers that a query finds.
import type { CommandOf } from 'fleet-host'
import { summary as returns } from './_schemas/fleet-counts.ts'
import { whereText } from './_schemas/fleet-inventory.ts'
import { object } from './_schemas/objects.ts'

const query = object({ 'where?': whereText })

export default {
  summary: 'Count what computers have: ?where=',
  group: 'Inventory',
  route: 'GET /inventory/summary',
  returns,
  scoped: true,
  query,
  answer: ({ services, request }) => services.fleetInventory.summary(request.query.where ?? '', request.rights),
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>

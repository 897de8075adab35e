// Reads what computers have in their partitions: each content with the computers that have it.
import type { CommandOf } from 'fleet-host'
import { partitionSystem } from './_schemas/fleet-counts.ts'
import { list, object } from './_schemas/objects.ts'

const payload = object({ clients: { $ref: 'clients' } })

const returns = object({ partitions: list(partitionSystem, 'by disk and partition, what most have first') })

export default {
  summary: 'Read what computers have in their partitions',
  group: 'Inventory',
  route: 'GET /client/systems',
  returns,
  payload,
  answer: async ({ payload, services }) => ({ partitions: await services.fleetInventory.systems(payload.clients) }),
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>

// Forgets the disks of computers that were removed.
import type { Hook } from 'fleet-host'
import { forget } from './_reports.ts'
import type pack from './pack.ts'

export default {
  summary: 'Forget the disks of removed computers',
  on: ['computer-removed'],
  async run({ events, collections, services }) {
    const clients = events.flatMap(event => (event.type === 'events-missing' ? [] : event.clients))
    const again = new Set((await services.store.computers.findMany(clients)).map(({ ip }) => ip))
    for (const client of clients) if (!again.has(client)) await forget(client, { collections })
  },
} satisfies Hook<typeof pack, 'computer-removed'>

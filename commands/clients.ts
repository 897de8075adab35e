// Lists wake-up entries and connected clients with their state.
import type { Command } from 'fleet-host'

export default {
  summary: 'List clients and their state',
  route: 'GET /clients',
  answer: ({ services }) => ({ clients: services.fleet.clients() }),
} satisfies Command

// Lists wake-up entries and connected agents with their state.
import type { Command } from 'fleet-host'

export default {
  summary: 'List clients and their state',
  route: 'GET /clients',
  answer: (_, { fleet }) => ({ clients: fleet.clients() }),
} satisfies Command

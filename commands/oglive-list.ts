// Lists the live systems that clients may boot.
import type { Command } from 'fleet-host'

export default {
  summary: 'List live systems',
  route: 'GET /oglive/list',
  answer: ({ services }) => services.boot.liveSystems(),
} satisfies Command

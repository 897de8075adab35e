// Lists the command files: the version of each that is in service, and the error of its newest content.
import type { Command } from 'fleet-host'

export default {
  summary: 'List command modules',
  route: 'GET /modules',
  answer: ({ services }) => ({ modules: services.modules.list() }),
} satisfies Command

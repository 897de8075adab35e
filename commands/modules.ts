// Lists the command files, what serves and what is wrong with the newest save.
import type { Command } from 'fleet-host'

export default {
  summary: 'List command modules',
  route: 'GET /modules',
  answer: (_, { modules }) => ({ modules: modules.list() }),
} satisfies Command

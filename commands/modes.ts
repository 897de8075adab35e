// Lists the boot modes.
import type { Command } from 'fleet-host'

export default {
  summary: 'List boot modes',
  route: 'GET /mode',
  async answer(_, { boot }) {
    return { modes: await boot.modes() }
  },
} satisfies Command

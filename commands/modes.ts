// Lists the boot modes.
import type { Command } from 'fleet-host'

export default {
  summary: 'List boot modes',
  route: 'GET /mode',
  async answer({ services }) {
    return { modes: await services.boot.modes() }
  },
} satisfies Command

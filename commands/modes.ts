// Lists the boot modes.
import type { Command } from 'fleet-host'
import { list, result, text } from './_result-schemas.ts'

const returns = result({ modes: list(text) })

export default {
  summary: 'List boot modes',
  route: 'GET /mode',
  returns,
  async answer({ services }) {
    return { modes: await services.boot.modes() }
  },
} satisfies Command

// Lists the boot modes.
import type { Command } from 'fleet-host'
import { like, list, object, text } from './_schemas/objects.ts'

const returns = object({ modes: like(list(text, 'their names, sorted'), ['00unknown', '10', '11', 'pxe']) })

export default {
  summary: 'List boot modes',
  group: 'Boot',
  route: 'GET /mode',
  returns,
  scoped: true,
  async answer({ services }) {
    return { modes: await services.boot.modes() }
  },
} satisfies Command

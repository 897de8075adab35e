// Lists the boot modes.
import type { Command } from 'fleet-host'
import { like, list, object, text } from './_schemas/objects.ts'

export default {
  summary: 'List boot modes',
  group: 'Boot',
  route: 'GET /mode',
  returns: object({ modes: like(list(text, 'their names, sorted'), ['00unknown', '10', '11', 'pxe']) }),
  scoped: true,
  answer: async ({ services }) => ({ modes: await services.boot.modes() }),
} satisfies Command

// Lists the boot modes.
import type { CommandOf } from 'fleet-host'
import { like, list, object, text } from './_schemas/objects.ts'

const returns = object({ modes: like(list(text, 'their names, sorted'), ['00unknown', '10', '11', 'pxe']) })

export default {
  summary: 'List boot modes',
  group: 'Boot',
  route: 'GET /mode',
  returns,
  scoped: true,
  answer: async ({ services }) => ({ modes: await services.boot.modes() }),
} satisfies CommandOf<{ returns: typeof returns }>

// Lists packs: their files, settings and collections.
import type { CommandOf } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'
import { pack } from './_schemas/packs.ts'

const returns = object({ packs: list(pack) })

export default {
  summary: 'List packs',
  group: 'Modules',
  route: 'GET /packs',
  access: 'admin',
  returns,
  answer: async ({ services }) => ({ packs: await services.packs.list() }),
} satisfies CommandOf<{ returns: typeof returns }>

// Lists packs: their files, settings and collections.
import type { Command } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'
import { pack } from './_schemas/packs.ts'

export default {
  summary: 'List packs',
  group: 'Modules',
  route: 'GET /packs',
  access: 'admin',
  returns: object({ packs: list(pack) }),
  answer: async ({ services }) => ({ packs: await services.packs.list() }),
} satisfies Command

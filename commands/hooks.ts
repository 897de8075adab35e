// Lists the hooks in service: when they run, and how their runs went.
import type { Command } from 'fleet-host'
import { hook } from './_schemas/hooks.ts'
import { list, object } from './_schemas/objects.ts'

export default {
  summary: 'List hooks',
  group: 'Modules',
  route: 'GET /hooks',
  returns: object({ hooks: list(hook) }),
  answer: async ({ services: { hooks } }) => ({ hooks: await hooks.list() }),
} satisfies Command

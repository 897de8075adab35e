// Lists the hooks in service: when they run, and how their runs went.
import type { CommandOf } from 'fleet-host'
import { hook } from './_schemas/hooks.ts'
import { list, object } from './_schemas/objects.ts'

const returns = object({ hooks: list(hook) })

export default {
  summary: 'List hooks',
  group: 'Modules',
  route: 'GET /hooks',
  returns,
  answer: ({ services: { hooks } }) => ({ hooks: hooks.list() }),
} satisfies CommandOf<{ returns: typeof returns }>

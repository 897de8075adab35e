// Lists the views: what modules show of themselves in the console and in `fleet view`.
import type { CommandOf } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'
import { viewEntry } from './_schemas/views.ts'

const returns = object({ views: list(viewEntry, 'by name') })

export default {
  summary: 'List the views of modules that the caller may see',
  group: 'Modules',
  route: 'GET /views',
  returns,
  scoped: true,
  answer: ({ services, request: { rights } }) => ({ views: services.views.list(rights) }),
} satisfies CommandOf<{ returns: typeof returns }>

// Lists what has been deleted, edited and imported and can be taken back.
import type { CommandOf } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'
import { change } from './_schemas/undo.ts'

const returns = object({ changes: list(change, 'that the caller may take back, the newest first') })

export default {
  summary: 'List deletions, edits and imports that can be taken back',
  group: 'Server',
  route: 'GET /undo',
  returns,
  scoped: true,
  heavy: true,
  answer: async ({ services, request }) => ({ changes: await services.undo.list(request.rights) }),
} satisfies CommandOf<{ returns: typeof returns }>

// Lists what has been deleted, edited and imported and can be taken back.
import type { CommandOf } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'
import { change } from './_schemas/undo.ts'

const query = object({
  'id?': { type: 'string', description: 'this change alone, with the names of what comes back or is deleted' },
})

const returns = object({ changes: list(change, 'that the caller may take back, the newest first') })

export default {
  summary: 'List deletions, edits and imports that can be taken back',
  group: 'Server',
  route: 'GET /undo',
  query,
  returns,
  scoped: true,
  heavy: true,
  answer: async ({ services, request }) => ({
    changes: await services.undo.list(request.rights, request.query.id),
  }),
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>

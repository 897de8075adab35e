// Takes a deletion, an edit or an import back.
import type { CommandOf } from 'fleet-host'
import { anyId, object } from './_schemas/objects.ts'
import { change } from './_schemas/undo.ts'

const payload = object({
  'id?': { ...anyId, examples: [9999], description: '`id` of `GET /undo`; without it the last one of the caller' },
  'overwrite?': {
    type: 'boolean',
    description: 'also replaces what later edits have set; otherwise 409 when there are any',
  },
})

const returns = object({ undone: change })

export default {
  summary: 'Take a deletion, an edit or an import back',
  group: 'Server',
  route: 'POST /undo',
  access: 'operate',
  scoped: true,
  confirm: 'ask',
  body: 'optional',
  payload,
  returns,
  async answer({ payload: { id, overwrite }, services, request }) {
    const undone = await services.undo.apply(id === undefined ? undefined : Number(id), request, overwrite)
    return services.isRefusal(undone) ? undone : { undone }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>

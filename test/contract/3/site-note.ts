// Keeps a note; a command with settings and a collection of its own, in plain words or none.
import type { CommandOf } from 'fleet-host'

const payload = { type: 'object', properties: { text: { type: 'string', maxLength: 200, maxLines: 3 } } } as const
const own = {
  settings: { type: 'object', properties: { unit: { type: 'string', default: 'letters' } } },
  collections: { notes: { type: 'object', properties: { text: { type: 'string' } } } },
} as const

export default {
  ...own,
  contract: 3,
  summary: 'Keep a note',
  route: 'POST /site/note',
  body: 'optional',
  access: 'admin',
  http: { anyBody: true },
  payload,
  async answer({ payload, settings, collections, request }) {
    if (payload.text !== undefined) await collections.notes.put('note', { text: payload.text })
    request.created(1)
    const note = (await collections.notes.get('note'))?.value.text ?? ''
    return { note, length: `${note.length} ${settings.unit}` }
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof own }>

// A card with settings and a collection of its own.
import type { View } from 'fleet-host'

const own = {
  settings: { type: 'object', properties: { title: { type: 'string', default: 'none' } } },
  collections: { notes: { type: 'object', properties: { text: { type: 'string' } } } },
} as const

export default {
  ...own,
  summary: 'Show a note',
  view: 'computer',
  title: 'Note',
  async data({ client, settings, collections }) {
    await collections.notes.put(client, { text: settings.title })
    return [{ label: 'Note', value: (await collections.notes.get(client))?.value.text ?? '' }]
  },
} satisfies View<typeof own>

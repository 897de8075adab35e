// A pack of a site with settings, a secret, a collection and two commands, for tests of what packs can do.
import { startSite } from './site-folder.ts'

export const packSource = (more = '') => `export default {
  contract: 3,
  summary: 'Keep notes',
  version: '1.0.0',
  settings: {
    type: 'object',
    required: ['sender'],
    properties: {
      sender: { type: 'string' },
      limit: { type: 'integer', default: 5 },
      mail: { type: 'object', properties: { password: { type: 'string', writeOnly: true, minLength: 4 } } },
    },
  },
  collections: { notes: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } },
  ${more}
}
`

const note = `export default {
  summary: 'Keep a note',
  route: 'POST /note',
  payload: { type: 'object', properties: { key: { type: 'string' }, value: {}, version: { type: 'integer' } } },
  async answer({ payload: { key, value, version }, settings, collections, services }) {
    if (key === undefined) return { settings, collections: Object.keys(collections) }
    try {
      if (value !== undefined) await collections.notes.put(key, value, version === undefined ? {} : { version })
      return { note: await collections.notes.get(key), keys: (await collections.notes.list()).map(each => each.key) }
    } catch (error) {
      return services.refuse(error.message)
    }
  },
}
`

const run = `export default {
  summary: 'Run something',
  route: 'POST /note/run',
  payload: { type: 'object' },
  access: 'operate',
  async answer({ payload, services }) {
    const job = await services.jobs.run(payload)
    return services.isRefusal(job) ? job : { job }
  },
}
`

/** `limits.collection_bytes` is 100,000. Resolves when the pack `notes` is in service. */
export async function startNotes() {
  const site = await startSite({ limits: { collection_bytes: 100_000 } })
  const { lab } = site
  const sources = { pack: packSource(), note, 'note-run': run }
  for (const [file, source] of Object.entries(sources)) site.write(`notes/${file}.ts`, source)
  for (const file of Object.keys(sources)) await lab.logged(new RegExp(`notes/${file}.ts: version 1`))
  const packs = async () => (await lab.call('GET /packs')).json.packs
  return {
    ...site,
    /** The pack in `GET /packs`. */
    entry: async () => (await packs()).find(({ name }: { name: string }) => name === 'notes'),
    /** The settings that its commands get. */
    inForce: async () => (await lab.call('POST /note', {})).json.settings,
    set: (settings: object) => lab.call('POST /pack/settings', { pack: 'notes', settings }),
  }
}

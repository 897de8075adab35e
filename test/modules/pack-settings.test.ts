// Packs on a real host: settings, collections, roles, enabling and disabling.
import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { startSite } from '../harness/site-folder.ts'

const packSource = (more = '') => `export default {
  contract: 3,
  summary: 'Keep notes',
  version: '1.0.0',
  settings: {
    type: 'object',
    additionalProperties: false,
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

const packs = suite('packs')
const site = await startSite({ limits: { collection_bytes: 100_000 } })
const { lab } = site
packs.after(() => site.stop())

packs.before(async () => {
  site.write('notes/pack.ts', packSource())
  site.write('notes/note.ts', note)
  site.write('notes/note-run.ts', run)
  for (const file of ['pack', 'note', 'note-run']) await lab.logged(new RegExp(`notes/${file}.ts: version 1`))
})

const entry = async () =>
  (await lab.call('GET /packs')).json.packs.find(({ name }: { name: string }) => name === 'notes')
const inForce = async () => (await lab.call('POST /note', {})).json.settings
const set = (settings: object) => lab.call('POST /pack/settings', { pack: 'notes', settings })

packs('settings that match are in force at once, with the defaults of the schema', async () => {
  const before = await entry()
  is(before.problem, 'settings: sender is missing')
  is((await set({ sender: 'a@b' })).status, 200)
  equal(await inForce(), { sender: 'a@b', limit: 5 })
  const { settings, secrets, problem, role, enabled, collections } = await entry()
  equal(
    { settings, secrets, problem, role, enabled, collections },
    {
      settings: { sender: 'a@b', limit: 5 },
      secrets: { 'mail.password': false },
      problem: undefined,
      role: 'operate',
      enabled: true,
      collections: ['notes'],
    },
  )
})

packs('settings that do not match are refused, and the old ones stay', async () => {
  const { status, headers } = await set({ sender: 'a@b', limit: 'many' })
  is(status, 400)
  is(headers['x-reason'], 'limit: expected a whole number, got "many"')
  equal(await inForce(), { sender: 'a@b', limit: 5 })
})

packs('a secret stays when it is left out, and goes with null', async () => {
  await set({ sender: 'a@b', mail: { password: 'hunter22' } })
  equal(await inForce(), { sender: 'a@b', limit: 5, mail: { password: 'hunter22' } })
  await set({ sender: 'c@d' })
  equal(await inForce(), { sender: 'c@d', limit: 5, mail: { password: 'hunter22' } })
  equal((await entry()).secrets, { 'mail.password': true })
  await set({ sender: 'c@d', mail: { password: null } })
  equal((await entry()).secrets, { 'mail.password': false })
  equal((await inForce()).mail?.password, undefined)
})

packs('a document must match its schema, and the error names where it should be', async () => {
  const { status, headers } = await lab.call('POST /note', { key: 'one', value: { text: 1 } })
  is(status, 400)
  match(String(headers['x-reason']), /^pack notes, collection notes, key one: text: expected a string, got 1$/)
  const { json } = await lab.call('POST /note', { key: 'one', value: { text: 'first' } })
  equal(json, { note: { key: 'one', value: { text: 'first' }, version: 1 }, keys: ['one'] })
})

packs(
  'a document of more than 64 kB, a key that is too long, and too much in all collections are refused',
  async () => {
    const put = async (key: string, text: string) =>
      (await lab.call('POST /note', { key, value: { text } })).headers['x-reason']
    match(String(await put('big', 'x'.repeat(65_536))), /key big: expected at most 65536 bytes of JSON, got 65547$/)
    match(String(await put('k'.repeat(257), 'x')), /expected 1 to 256 characters, got 257$/)
    match(String(await put('', 'x')), /expected 1 to 256 characters, got 0$/)
    is(await put('two', 'x'.repeat(60_000)), undefined)
    match(String(await put('three', 'x'.repeat(60_000))), /expected at most 100000 bytes in all collections, got more$/)
  },
)

packs('a document is put only on the version that was read', async () => {
  const at = (version: number) => lab.call('POST /note', { key: 'one', value: { text: `${version}` }, version })
  equal((await at(0)).json.note.value, { text: 'first' })
  equal((await at(1)).json.note, { key: 'one', value: { text: '1' }, version: 2 })
})

packs('a pack that is disabled answers nothing, keeps what it has, and answers again when it is enabled', async () => {
  is((await lab.call('POST /pack/disable', { pack: 'notes' })).status, 200)
  is((await lab.call('POST /note', {})).status, 404)
  const { enabled, documents } = await entry()
  equal({ enabled, documents }, { enabled: false, documents: 2 })
  is((await lab.call('POST /pack/enable', { pack: 'notes' })).status, 200)
  equal((await lab.call('POST /note', { key: 'one' })).json.note.value, { text: '1' })
})

packs('a pack starts jobs as itself, and only with its role', async () => {
  const agent = await lab.agent('127.0.0.2')
  await lab.addComputer('127.0.0.3', { maintenance: true })
  const work = { command: 'shell-run', payload: { run: 'id', echo: false }, clients: [agent.addr, '127.0.0.3'] }
  const { json } = await lab.call('POST /note/run', work)
  await agent.next('/shell/run')
  const job = (await lab.call(`GET /jobs/${json.job}`)).json
  equal([job.origin, job.by], ['pack', 'pack notes'])
  equal(job.parts.map(({ client, reason }: { client: string; reason?: string }) => [client, reason]).sort(), [
    [agent.addr, undefined],
    ['127.0.0.3', 'maintenance'],
  ])
  agent.answer(200)
  await lab.call('POST /pack/role', { pack: 'notes', role: 'read' })
  const refused = await lab.call('POST /note/run', work)
  equal([refused.status, refused.headers['x-reason']], [403, 'expected the role operate, got read'])
  await lab.call('POST /pack/role', { pack: 'notes', role: 'operate' })
  const { audit } = (await lab.call('GET /audit')).json
  const records = audit.filter(({ who }: { who: string }) => who === 'pack notes')
  equal(
    records.map(({ route, status, count }: { route: string; status: number; count: number }) => [route, status, count]),
    [
      ['POST /shell/run', 200, 2],
      ['POST /shell/run', 403, 2],
    ],
  )
  ok(lab.log.some(line => line.includes(`POST /shell/run by pack notes: job ${json.job}`)))
})

packs('queued parts of a pack that is disabled are cancelled, as those of a deleted token', async () => {
  await lab.addComputer('127.0.0.9')
  const job = (
    await lab.call('POST /note/run', {
      command: 'shell-run',
      payload: { run: 'id', echo: false },
      clients: ['127.0.0.9'],
      queue: 900,
    })
  ).json.job
  const part = async () => (await lab.call(`GET /jobs/${job}`)).json.parts[0]
  is((await part()).state, 'queued')
  const ended = lab.event('job-finished', { job })
  await lab.call('POST /pack/disable', { pack: 'notes' })
  await ended
  is((await part()).state, 'cancelled')
  await lab.call('POST /pack/enable', { pack: 'notes' })
})

packs('the check of a pack may refuse settings, and what it throws is the reason without secrets', async () => {
  const check = `check({ settings }) { if (settings.limit > 9) throw new Error('no login as ' + settings.mail?.password) },`
  site.write('notes/pack.ts', packSource(check))
  await lab.logged(/notes\/pack\.ts: version 2/)
  const { status, headers } = await set({ sender: 'a@b', limit: 10, mail: { password: 'opensesame' } })
  equal([status, headers['x-reason']], [400, 'no login as ***'])
  equal((await entry()).secrets, { 'mail.password': false })
})

packs('after a change of the schema what still matches stays in force, and the problem is shown', async () => {
  await set({ sender: 'kept', limit: 7 })
  site.write(
    'notes/pack.ts',
    packSource().replace(
      "limit: { type: 'integer', default: 5 }",
      "limit: { type: 'integer', default: 3, maximum: 4 }",
    ),
  )
  await lab.logged(/notes\/pack\.ts: version 3/)
  equal(await inForce(), { sender: 'kept', limit: 3 })
  is((await entry()).problem, 'limit: expected a number <= 4, got 7')
  is(lab.log.filter(line => line.includes('notes: not all stored settings are in force: limit:')).length, 1)
})

packs('what a pack keeps is deleted only when it is disabled or gone, with its settings', async () => {
  const purge = () => lab.call('POST /pack/purge', { pack: 'notes' })
  is((await purge()).headers['x-reason'], 'pack: expected one that is disabled, got notes')
  rmSync(site.path('notes'), { recursive: true })
  await lab.logged(/notes\/pack\.ts.*removed/)
  const { enabled, documents, settings } = await entry()
  equal({ enabled, documents, settings }, { enabled: false, documents: 2, settings: { sender: 'kept', limit: 7 } })
  equal((await purge()).json, { documents: 2 })
  is(await entry(), undefined)
})

packs.run()

// Packs that are enabled, disabled, purged, and start jobs as themselves.
import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { packSource, startNotes } from '../harness/notes-pack.ts'

const packs = suite('life of packs')
const site = await startNotes()
const { lab, entry, set } = site
packs.after(() => site.stop())

packs.before(async () => {
  await set({ sender: 'kept', limit: 7 })
  for (const key of ['one', 'two']) await lab.call('POST /note', { key, value: { text: '1' } })
})

packs('a pack that is disabled answers nothing, keeps what it has, and answers again when it is enabled', async () => {
  is((await lab.call('POST /pack/disable', { pack: 'notes' })).status, 200)
  is((await lab.call('POST /note', {})).status, 404)
  const { enabled, documents } = await entry()
  equal({ enabled, documents }, { enabled: false, documents: 2 })
  is((await lab.call('POST /pack/enable', { pack: 'notes' })).status, 200)
  equal((await lab.call('POST /note', { key: 'one' })).json.note.value, { text: '1' })
})

packs('documents of an older schema are read as they are stored, and put in the new form only', async () => {
  const newer = packSource().replace(/notes: .*/, `notes: { type: 'object', required: ['pages'] } },`)
  site.write('notes/pack.ts', newer)
  await lab.logged(/notes\/pack\.ts: version 2/)
  const note = async (payload: object) => (await lab.call('POST /note', payload)).json
  equal((await note({ key: 'one' })).note, { key: 'one', value: { text: '1' }, version: 1 })
  const { headers } = await lab.call('POST /note', { key: 'one', value: { text: '2' } })
  is(headers['x-reason'], 'pack notes, collection notes, key one: collections.notes: pages is missing')
  equal((await note({ key: 'one', value: { pages: 1 }, version: 1 })).note.value, { pages: 1 })
  site.write('notes/pack.ts', packSource().replace(/collections: .*/, ''))
  await lab.logged(/notes\/pack\.ts: version 3/)
  equal([(await note({})).collections, (await entry()).documents], [[], 2])
  site.write('notes/pack.ts', packSource())
  await lab.logged(/notes\/pack\.ts: version 4/)
  equal((await note({ key: 'one' })).note.value, { pages: 1 })
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

packs('what a pack keeps is deleted only when it is disabled or gone, with its settings', async () => {
  const purge = () => lab.call('POST /pack/purge', { pack: 'notes' })
  is((await purge()).headers['x-reason'], 'pack: expected one that is disabled, got notes')
  rmSync(site.path('notes'), { recursive: true })
  await lab.logged(/notes\/pack\.ts.*removed/)
  const { enabled, documents, settings, stored } = await entry()
  equal([enabled, documents, settings, stored], [false, 2, { sender: 'kept', limit: 7 }, true])
  equal((await purge()).json, { documents: 2 })
  is(await entry(), undefined)
})

packs.run()

// Settings and collections of packs on a real host.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { packSource, startNotes } from '../harness/notes-pack.ts'

const packs = suite('settings of packs')
const site = await startNotes()
const { lab, entry, inForce, set } = site
packs.after(() => site.stop())

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

packs('misspelt settings are refused with the nearest name, unless the schema allows others', async () => {
  const { status, headers } = await set({ sender: 'a@b', limits: 7 })
  equal([status, headers['x-reason']], [400, 'settings: expected limit, got unknown key "limits"'])
  equal(await inForce(), { sender: 'a@b', limit: 5 })
  site.write('notes/pack.ts', packSource().replace("['sender'],", "['sender'], additionalProperties: true,"))
  await lab.logged(/notes\/pack\.ts: version 2/)
  is((await set({ sender: 'a@b', limits: 7 })).status, 200)
  equal(await inForce(), { sender: 'a@b', limits: 7, limit: 5 })
})

packs('a setting that a new version no longer has is not in force, and the others are', async () => {
  site.write('notes/pack.ts', packSource())
  await lab.logged(/notes\/pack\.ts: version 3/)
  equal(await inForce(), { sender: 'a@b', limit: 5 })
  is((await entry()).problem, 'settings: expected limit, got unknown key "limits"')
  is((await set({ sender: 'a@b' })).status, 200)
  is((await entry()).problem, undefined)
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

packs('the check of a pack may refuse settings, and what it throws is the reason without secrets', async () => {
  const check = `check({ settings }) { if (settings.limit > 9) throw new Error('no login as ' + settings.mail?.password) },`
  site.write('notes/pack.ts', packSource(check))
  await lab.logged(/notes\/pack\.ts: version 4/)
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
  await lab.logged(/notes\/pack\.ts: version 5/)
  equal(await inForce(), { sender: 'kept', limit: 3 })
  is((await entry()).problem, 'limit: expected a number <= 4, got 7')
  is(lab.log.filter(line => line.includes('notes: not all stored settings are in force: limit:')).length, 1)
})

packs.run()

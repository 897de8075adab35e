// Secrets in settings of packs: nobody can read them back, and only the data folder has their key.
import { hash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { readEvents } from '../harness/event-reader.ts'
import { addNotifyPack, notifySource, siteOptions } from '../harness/notify-pack.ts'
import { startTestHost } from '../harness/test-host.ts'

const secret = 'correct-horse-battery'
const secrets = suite('secrets of packs')

type Host = Pick<Awaited<ReturnType<typeof startTestHost>>, 'call'>
/** The pack in `GET /packs`. */
const entryOf = async (lab: Host) =>
  (await lab.call('GET /packs')).json.packs.find(({ name }: { name: string }) => name === 'notify')

secrets('a secret is in no log line, audit record, event, backup, list or reference', async () => {
  const lab = await startTestHost({ options: siteOptions })
  await addNotifyPack(lab)
  const events = await readEvents(lab.host.ports.rest)
  const set = (settings: object) => lab.call('POST /pack/settings', { pack: 'notify', settings })
  is((await set({ password: secret })).status, 200)
  // One that is refused: by the schema, and by its size.
  is((await set({ sender: 1, password: secret })).status, 400)
  is((await set({ password: [secret] })).status, 400)
  const reads = [
    'GET /packs',
    'GET /backup',
    'GET /audit',
    'GET /modules',
    'GET /openapi.json',
    'GET /metrics',
    'GET /jobs',
  ]
  for (const route of reads) {
    const { status, text } = await lab.call(route)
    is(status, 200, route)
    not.match(text, secret, route)
  }
  equal((await entryOf(lab)).secrets, { password: true })
  const { audit } = (await lab.call('GET /audit')).json
  const records = audit.filter(({ route }: { route: string }) => route === 'POST /pack/settings')
  is(records.length, 3)
  for (const { digest } of records) ok(digest === undefined || digest === hash('sha256', '{"pack":"notify"}'))
  not.match(lab.log.join(''), secret)
  not.match(events.text(), secret)
  events.close()
  await lab.stop()
})

secrets('the key is a file of the data folder that only its owner may read, made with the first secret', async () => {
  const lab = await startTestHost({ options: siteOptions })
  await addNotifyPack(lab)
  const { file } = keyOf(lab.folder)
  await lab.call('POST /pack/settings', { pack: 'notify', settings: { sender: 'a' } })
  is(existsSync(file), false)
  await lab.call('POST /pack/settings', { pack: 'notify', settings: { password: secret } })
  is(statSync(file).mode & 0o777, 0o600)
  match(readFileSync(file, 'utf8'), /^[0-9a-f]{64}\n$/)
  await lab.stop()
})

secrets('without its key a secret counts as absent, with a log line and a note, and no other key is made', async () => {
  const options = { ...siteOptions, store: { adapter: 'lowdb', path: './data' } }
  const first = await startTestHost({ options })
  await addNotifyPack(first)
  await first.call('POST /pack/settings', { pack: 'notify', settings: { sender: 'a', password: secret } })
  const { file, key } = keyOf(first.folder)
  await first.stop('keep')
  rmSync(file)
  const next = await startTestHost({ options, folder: first.folder })
  const { problem, settings } = await entryOf(next)
  equal({ problem, settings }, { problem: undefined, settings: { sender: 'a' } })
  match(await next.logged(/notify: secrets cannot be decrypted/), 'password: ')
  match((await next.call('GET /readyz')).text, 'pack notify: secrets are absent')
  const refused = await next.call('POST /pack/settings', { pack: 'notify', settings: { password: 'another one' } })
  match(
    String(refused.headers['x-reason']),
    /^settings: expected .*secrets\.key, with which other secrets are encrypted/,
  )
  is(existsSync(file), false)
  writeFileSync(file, key)
  is((await next.call('POST /pack/settings', { pack: 'notify', settings: { sender: 'b' } })).status, 200)
  const { settings: now } = next.host.packs.contextOf('notify')
  equal(now, { sender: 'b', password: secret })
  await next.stop()
})

secrets(
  'a setting that a newer version of the pack declares as a secret is encrypted, at once or at the next start',
  async () => {
    const options = { ...siteOptions, store: { adapter: 'lowdb', path: './data' } }
    const open = notifySource.replace(', writeOnly: true', '')
    const first = await startTestHost({ options })
    await addNotifyPack(first, open)
    const settings = { sender: 'a', password: secret }
    const set = () => first.call('POST /pack/settings', { pack: 'notify', settings })
    is((await set()).status, 200)
    await addNotifyPack(first)
    await first.logged(/notify: password: now secret, and no longer stored in clear text/)
    equal(first.host.packs.contextOf('notify').settings, settings)
    not.match(JSON.stringify(first.host.packs.records.list()), secret)
    await addNotifyPack(first, open)
    await set()
    await first.stop('keep')
    const file = join(first.folder, 'site', 'notify.ts')
    writeFileSync(file, notifySource)
    const next = await startTestHost({ options, folder: first.folder })
    await next.logged(/notify: password: now secret/)
    equal(next.host.packs.contextOf('notify').settings, settings)
    not.match((await next.call('GET /backup')).text, secret)
    await next.stop()
  },
)

const keyOf = (folder: string) => {
  const file = join(folder, 'data', 'secrets.key')
  return { file, key: existsSync(file) ? readFileSync(file, 'utf8') : '' }
}

secrets(
  'a secret in a document of a collection is encrypted in the store, and what was stored before is read',
  async () => {
    const lab = await startTestHost({ options: siteOptions })
    const rules = () => lab.host.packContext('notify').collections.rules
    const source = (keys: string) =>
      notifySource.replace("rules: { type: 'object' }", `rules: { type: 'object', properties: { ${keys} } }`)
    await addNotifyPack(lab, source(`token: { type: 'string' }`))
    await rules()?.put('old', { token: 'plain' })
    await addNotifyPack(lab, source(`token: { type: 'string', writeOnly: true, maxLength: 30 }`))
    equal((await rules()?.get('old'))?.value, { token: 'plain' })
    await rules()?.put('old', { token: secret, name: 'a' })
    equal(
      (await rules()?.list())?.map(({ value }) => value),
      [{ token: secret, name: 'a' }],
    )
    const backup = (await lab.call('GET /backup')).text
    match(backup, /\$encrypted/)
    not.match(backup, secret)
    await lab.stop()
  },
)

secrets.run()

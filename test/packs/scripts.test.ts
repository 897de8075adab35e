// The library of scripts: what is sent, with which values, by whom, and what is kept of earlier versions.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type pack from '../../commands/packs/scripts/pack.ts'
import { createLab } from '../../host/test-kit/lab.ts'

const test = suite('scripts')

const folder = mkdtempSync(join(tmpdir(), 'fleet-scripts-'))
const lab = await createLab<typeof pack>({ folder, pack: 'scripts', clients: 2 })
await lab.post('/pack/enable', { pack: 'scripts' })
const [clients, [client]] = [lab.addresses, lab.clients]

test.after(async () => {
  await lab.stop()
  rmSync(folder, { recursive: true, force: true })
})

const parameters = [
  { name: 'edition', type: 'text', choices: ['small', 'full'], default: 'small' },
  { name: 'note', type: 'text' },
  { name: 'count', type: 'integer', default: 3 },
  { name: 'force', type: 'boolean', default: false },
]
const text = 'printf "%s|" "$edition" "$note" "$count" "$force"\n'

const lastBody = () => client?.requests.findLast(({ path }) => path === '/shell/run')?.body as { run: string }
const jobOf = async ({ headers }: { headers: Record<string, unknown> }) =>
  (await lab.get(`/jobs/${headers['x-job-id']}`)).json
const run = (payload: object, headers?: Record<string, string>) =>
  lab.post('/script/run', { clients, script: 'Install', values: { note: 'x' }, ...payload }, headers)
const refused = async (route: string, payload: object, headers?: Record<string, string>) => {
  const { status, reason } = await lab.call(`POST ${route}`, payload, headers)
  return [status, reason] as const
}

test('a script gets its values as variables, and the job has its version, values and text', async () => {
  is((await lab.post('/script/add', { script: 'Install', text, parameters })).status, 200)
  const job = await jobOf(await run({ values: { note: 'a b', count: '12', force: true } }))
  const sent = lastBody()
  equal(Object.keys(sent), ['run', 'echo'])
  is(spawnSync('sh', ['-c', sent.run]).stdout.toString(), 'small|a b|12|true|')
  equal(job.counts.success, 2)
  const values = { edition: 'small', note: 'a b', count: '12', force: 'true' }
  equal(job.arguments, [{ script: 'Install', values, version: 1, run: sent.run }])
})

test('no value becomes a part of the script, whatever shell runs it', async () => {
  const note = `it's "$(touch x)" \`id\` \\ ; rm -rf / && $HOME ' '\n;|#\t!! %PATH% ‘’`
  await run({ values: { note } })
  for (const shell of ['sh', 'bash'])
    is(spawnSync(shell, ['-c', lastBody().run], { cwd: folder }).stdout.toString(), `small|${note}|3|false|`)
})

test('PowerShell gets the script as base64 on one line, with quotation marks of all kinds doubled', async () => {
  const windows = { script: 'Windows', text: 'Write-Output $values.note', language: 'powershell', parameters }
  is((await lab.post('/script/add', windows)).status, 200)
  await run({ script: 'Windows', values: { note: "it's ‘so’\n$(calc)" } })
  const [, encoded = ''] = /^powershell\.exe [A-Za-z -]+ -EncodedCommand ([A-Za-z0-9+/=]+)$/.exec(lastBody().run) ?? []
  is(
    Buffer.from(encoded, 'base64').toString('utf16le'),
    "$values = @{ 'edition' = 'small'; 'note' = 'it''s ‘‘so’’\n$(calc)'; 'count' = '3'; 'force' = 'false' }\n" +
      'Write-Output $values.note',
  )
  await lab.post('/script/update', { script: 'Windows', text: 'x'.repeat(3100) })
  const tooLong = 'script: Windows is too long for PowerShell, which gets it as one line'
  equal(await refused('/script/run', { clients, script: 'Windows', values: { note: 'x' } }), [400, tooLong])
})

test('values that do not fit are refused before anything is sent', async () => {
  const reasonOf = async (values: object) => (await refused('/script/run', { clients, script: 'Install', values }))[1]
  const before = client?.requests.length
  is(await reasonOf({}), 'values: note: missing')
  is(await reasonOf({ note: 'x', edition: 'big' }), 'values: edition: expected small, full, got big')
  is(await reasonOf({ note: 'x', count: '1;2' }), 'values: count: expected an integer, got 1;2')
  is(await reasonOf({ note: 'x', force: 'yes' }), 'values: force: expected true or false, got yes')
  is(await reasonOf({ note: 'x', other: 1 }), 'values: other: expected edition, note, count, force')
  match(
    await reasonOf({ note: 'a\u0000b' }),
    /^values: note: expected a text of at most 2000 characters without control/,
  )
  match(await reasonOf({ note: { a: 1 } }), /note: expected/)
  is(client?.requests.length, before)
})

test('a definition that cannot work is refused', async () => {
  const reasonOf = async (more: object) => (await refused('/script/add', { script: 'Wrong', text: 'true', ...more }))[1]
  is(await reasonOf({ parameters: [...parameters, parameters[0]] }), 'parameters: edition: expected different names')
  const wrongDefault = [{ name: 'count', type: 'integer', default: 'x' }]
  is(await reasonOf({ parameters: wrongDefault }), 'parameters: default of count: expected an integer, got x')
  match(await reasonOf({ parameters: [{ name: 'PATH', type: 'text' }] }), /expected small letters, digits and _/)
  match(await reasonOf({ text: '\u2026'.repeat(30_000) }), /^text: expected at most 65000 bytes as JSON/)
  match(await reasonOf({ script: 'a/b' }), /expected 1 to 60 characters without \//)
  is(await reasonOf({ script: 'Install' }), 'script: there is one with the name Install')
})

test('an update makes a version; earlier ones are read and run, and a retry runs what the job has run', async () => {
  client?.replyTo('POST /shell/run', {}, 500)
  const failed = await run({})
  client?.replyTo('POST /shell/run', {})
  is((await lab.post('/script/update', { script: 'Install', text: 'echo new' })).status, 200)
  const { text: newest, version, by, versions } = (await lab.get('/script?script=Install')).json
  equal([newest, version, by], ['echo new', 2, 'admin'])
  equal(
    versions.map((each: { version: number }) => each.version),
    [2, 1],
  )
  is((await lab.get('/script?script=Install&version=1')).json.text, text)
  is((await lab.get('/script?script=Install&version=9')).reason, 'version: there is no version 9 of Install')
  await lab.post('/job/retry', { id: String(failed.headers['x-job-id']) })
  match(lastBody().run, /printf/)
  await run({})
  match(lastBody().run, /\necho new$/)
  equal((await jobOf(await run({ version: 1 }))).arguments[0].version, 1)
  match(lastBody().run, /printf/)
  const { scripts } = (await lab.get('/scripts')).json
  equal(
    scripts.map((each: { script: string; text?: string }) => [each.script, each.text]),
    [
      ['Install', undefined],
      ['Windows', undefined],
    ],
  )
})

test('a procedure runs the newest version, through the queue, and a script that it runs cannot be deleted', async () => {
  const steps = [{ command: 'script-run', params: { script: 'Install', values: { note: 'p' } } }]
  is((await lab.post('/procedure/add', { center: '1', name: 'Term', steps })).status, 200)
  const job = await jobOf(await lab.post('/procedure/run', { clients, procedure: '1' }))
  equal([job.counts.success, job.arguments[0].version], [2, 2])
  const inUse = 'script: expected one that no procedure runs, but Term does'
  equal(await refused('/script/delete', { script: 'Install' }), [400, inUse])
  await lab.post('/procedure/update', { procedure: '1', center: '1', name: 'Term', steps: [] })
})

const callerOf = async (route: string, payload: object) => ({
  Authorization: (await lab.post(route, { role: 'operate', ...payload })).json.token,
})

test('who may run a script is asked at its begin, in procedures, for retries and when it is sent', async () => {
  const otto = await callerOf('/token/add', { name: 'otto' })
  const anna = await callerOf('/token/add', { name: 'anna', rooms: [1] })
  await lab.post('/script/update', { script: 'Install', runners: ['token anna'] })
  const reason = 'hook may-run-script: Install: expected one of token anna, got token otto'
  const payload = { clients, script: 'Install', values: { note: 'x' } }
  equal(await refused('/script/run', payload, otto), [403, reason])
  equal((await lab.get('/script?script=Install', otto)).reason, 'script: there is no script Install')
  client?.replyTo('POST /shell/run', {}, 500)
  const ofAnna = await run({}, anna)
  client?.replyTo('POST /shell/run', {})
  is((await jobOf(ofAnna)).counts.success, 1)
  equal((await lab.get('/scripts', anna)).json.scripts.length, 2)
  const retry = { id: String(ofAnna.headers['x-job-id']) }
  equal(await refused('/job/retry', retry, otto), [400, `step script-run: ${reason}`])
  await lab.clients[1]?.disconnect()
  const queued = await lab.post('/script/run?queue=1', { ...payload, clients: [clients[1]] }, anna)
  await lab.post('/script/update', { script: 'Install', runners: ['token lena'] })
  await lab.clients[1]?.connect()
  await lab.settle()
  const [part] = (await jobOf(queued)).parts
  equal(
    [part.state, part.reason],
    ['skipped', 'hook may-run-script: Install: expected one of token lena, got token anna'],
  )
})

test('editors write scripts, others and limited ones do not', async () => {
  const eva = await callerOf('/token/add', { name: 'eva' })
  const ina = await callerOf('/token/add', { name: 'ina', rooms: [1] })
  const script = { script: 'Of eva', text: 'true' }
  equal(await refused('/script/add', script, eva), [403, 'expected one of the editors of scripts'])
  await lab.post('/pack/settings', { pack: 'scripts', settings: { editors: ['token eva', 'token ina'] } })
  is((await lab.post('/script/add', script, eva)).status, 200)
  is((await lab.get('/script?script=Of%20eva')).json.by, 'token eva')
  for (const route of ['/script/add', '/script/update', '/script/delete'])
    is((await refused(route, script, ina))[0], 403)
})

test('with only, scripts that are not of the library are for administrators', async () => {
  const uta = await callerOf('/token/add', { name: 'uta' })
  const typed = { clients, run: 'true', echo: true }
  is((await lab.post('/shell/run', typed, uta)).status, 200)
  await lab.post('/pack/settings', { pack: 'scripts', settings: { only: true } })
  const reason = 'hook only-library: expected a script of the library: fleet script list shows them'
  equal(await refused('/shell/run', typed, uta), [403, reason])
  is((await lab.post('/shell/run', typed)).status, 200)
  is((await lab.post('/script/run', { clients, script: 'Of eva' }, uta)).status, 200)
})

test('of a deleted script nothing is left, and nothing of it is run again', async () => {
  client?.replyTo('POST /shell/run', {}, 500)
  const before = await run({})
  is((await lab.post('/script/delete', { script: 'Install' })).status, 200)
  equal(
    (await lab.collections.versions.list()).map(({ key }) => key),
    ['Windows/000000001'],
  )
  const reason = 'hook may-run-script: script: there is no script Install'
  equal(await refused('/script/run', { clients, script: 'Install' }), [400, reason])
  const retry = { id: String(before.headers['x-job-id']) }
  equal(await refused('/job/retry', retry), [400, `step script-run: ${reason}`])
  equal(await refused('/script/delete', { script: 'Install' }), [400, 'script: there is no script Install'])
  const daily = { years: 0xffff_ffff, months: 0xfff, weeks: 0, week_days: 0, days: 0x7fff_ffff, hours: 1, am_pm: 0 }
  const later = { clients, command: 'script-run', params: { script: 'Install' }, when: { ...daily, minutes: 0 } }
  is((await lab.post('/schedule/command', later)).status, 200)
  equal((await lab.get('/schedules')).json.schedules.at(-1).missing, ['script Install'])
})

test('the last 50 versions are kept', async () => {
  for (let at = 0; at < 52; at++) await lab.call('POST /script/update', { script: 'Of eva', description: `${at}` })
  const { versions } = (await lab.get('/script?script=Of%20eva')).json
  equal([versions.length, versions[0].version, versions.at(-1).version], [50, 53, 4])
})

test.run()

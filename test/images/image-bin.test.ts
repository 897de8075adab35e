// The bin: what image/delete puts there, how it comes back, and when it is removed.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, throws } from 'uvu/assert'
import { Bin } from '../../host/images/bin.ts'
import { createLog } from '../../host/log/log.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { startLab } from '../harness/lab.ts'
import { serverAddress } from '../harness/lab-images.ts'

const clock = createManualClock('2026-03-02T08:00:00Z')
const lab = await startLab({ repository: true, clock, options: { repository: { keep_days: 3 } } })
const client = await lab.computer()
const bin = async () => (await lab.call('GET /image/bin')).json.bin
const statusOf = async (route: string, payload: object) => (await lab.call(route, payload)).status
const entries = () => readdirSync(join(lab.folder, 'images', '.fleet-host', 'bin'))

let former: { software_id: number; repo_id: number }

const test = suite('the bin of the repository')

test('image/delete moves the files of the image and of its versions to the bin', async () => {
  await lab.create(client, { description: 'A system' }, { content: 'one' })
  await lab.create(client, { id: '1' }, { content: 'two!' })
  equal(await bin(), [])
  former = await lab.image('linux')
  is(await statusOf('POST /image/delete', { image: '1' }), 200)
  equal(
    [lab.content('linux.img'), lab.content('linux.v1.img'), await lab.image('linux')],
    [undefined, undefined, undefined],
  )
  const [image, version] = await bin()
  const times = { deleted: '2026-03-02T08:00:00.000Z', expires: '2026-03-05T08:00:00.000Z' }
  equal({ ...image, id: 0 }, { id: 0, name: 'linux', size: 4 + 32, ...times, reason: 'deleted' })
  equal({ ...version, id: 0 }, { id: 0, name: 'linux.v1', size: 3 + 32, ...times, reason: 'deleted' })
})

test('image/undelete brings an image back with its id and its software, and its versions as files', async () => {
  const [image, version] = await bin()
  const { status, headers } = await lab.call('POST /image/undelete', { entry: image.id })
  equal([status, headers['x-id']], [200, '1'])
  is(await statusOf('POST /image/undelete', { entry: version.id }), 200)
  const { id, size, versions, software_id, repo_id } = await lab.image('linux')
  equal([id, size, versions.length, lab.content('linux.v1.img')], [1, 4, 1, 'one'])
  equal([software_id, repo_id], [former.software_id, former.repo_id])
  equal([await bin(), entries()], [[], []])
  is(await statusOf('POST /image/undelete', { entry: image.id }), 400)
})

test('an image whose name exists again does not come back, a version gets the next number', async () => {
  is(await statusOf('POST /image/delete', { image: '1' }), 200)
  const [image, version] = await bin()
  await lab.create(client, { description: 'Another one' }, { content: 'other' })
  const { headers } = await lab.call('POST /image/undelete', { entry: image.id })
  is(headers['x-reason'], 'entry: image linux exists')
  lab.write('linux.v1.img', 'in the way')
  is(await statusOf('POST /image/undelete', { entry: version.id }), 200)
  equal([lab.content('linux.img'), lab.content('linux.v2.img')], ['other', 'one'])
})

test('nothing comes back under a name that is being created, where the agent would overwrite it', async () => {
  await lab.create(client, { description: 'Of this term', name: 'term' }, { content: 'one' })
  await lab.create(client, { name: 'term' }, { content: 'two' })
  await lab.call('POST /image/delete', { image: String((await lab.image('term')).id) })
  const terms = (await bin()).filter(({ name }: { name: string }) => name.startsWith('term'))
  const payload = { disk: '1', partition: '1', code: '131', name: 'term', repository: serverAddress, id: '0' }
  await lab.call('POST /image/create', { clients: [client.addr], ...payload })
  await client.agent.next('/image/create')
  for (const { id } of terms) {
    const { headers } = await lab.call('POST /image/undelete', { entry: id })
    is(headers['x-reason'], `image: term is being created by ${client.addr}`)
  }
  const ended = lab.event('command-ended', { addr: client.addr })
  client.agent.answer(500)
  await ended
  for (const { id } of terms) {
    is(await statusOf('POST /image/undelete', { entry: id }), 200)
    is(await statusOf('POST /image/purge', { entry: id }), 400)
  }
  equal([lab.content('term.img'), lab.content('term.v1.img')], ['two', 'one'])
})

test('undo brings an image back with its versions, unless its file is gone', async () => {
  await lab.create(client, { description: 'For an exam', name: 'exam' }, { content: 'one' })
  await lab.create(client, { name: 'exam' }, { content: 'two' })
  const { id } = await lab.image('exam')
  const remove = async () => (await lab.call('POST /image/delete', { image: String(id) })).headers['x-undo-id']
  const { status, json } = await lab.call('POST /undo', { id: await remove() })
  equal([status, json.undone.what, (await lab.image('exam')).id], [200, 'image exam', id])
  const { at, expires } = json.undone
  is(Date.parse(expires) - Date.parse(at), 3 * 86_400_000)
  equal([lab.content('exam.img'), lab.content('exam.v1.img')], ['two', 'one'])
  const undo = await remove()
  const exams = (await bin()).filter(({ name }: { name: string }) => name.startsWith('exam'))
  for (const { id } of exams) is(await statusOf('POST /image/purge', { entry: id }), 200)
  const { headers } = await lab.call('POST /undo', { id: undo })
  is(headers['x-reason'], 'image exam: its file is not in the bin of images any more')
})

test('image/purge removes an entry for good, and refuses an unknown one', async () => {
  const [entry] = await bin()
  is(await statusOf('POST /image/purge', { entry: entry.id }), 200)
  equal([await bin(), entries()], [[], []])
  is(await statusOf('POST /image/purge', { entry: entry.id }), 400)
})

test('deleting an unknown version is refused, and an unknown image, too', async () => {
  for (const payload of [{ image: '3', version: '7' }, { image: '99' }, { image: '99', version: '1' }])
    is(await statusOf('POST /image/delete', payload), 400)
})

test('after repository.keep_days an entry is removed', async () => {
  is(await statusOf('POST /image/delete', { image: '2', version: '2' }), 200)
  const [entry] = await bin()
  const removed = lab.logged(/bin: linux\.v2 deleted, after 3 days/)
  await clock.advance(2 * 86_400_000)
  equal((await bin()).length, 1)
  await clock.advance(86_400_000 + 3_600_000)
  await removed
  equal([await bin(), existsSync(join(lab.folder, 'images', '.fleet-host', 'bin', String(entry.id)))], [[], false])
})

test('an image whose name looks like a version of another one is none: it stays however often that is made', async () => {
  await lab.create(client, { description: 'Of the first year', name: 'year.v1' }, { content: 'own' })
  await lab.create(client, { description: 'Of each year', name: 'year' }, { content: '0' })
  for (const content of ['1', '2', '3', '4']) await lab.create(client, { name: 'year' }, { content })
  await lab.logged(/year\.v3: deleted, 2 older versions are kept/)
  const image = await lab.image('year')
  is(await statusOf('POST /image/delete', { image: String(image.id), version: '1' }), 400)
  equal([lab.content('year.v1.img'), (await lab.image('year.v1')).size], ['own', 3])
  equal(
    image.versions.map(({ name }: { name: string }) => name),
    ['year.v5', 'year.v4'],
  )
})

test('the entry is there before the first file has moved, and not when none could', async () => {
  const directory = join(lab.folder, 'other')
  const folder = join(directory, '.fleet-host/bin')
  mkdirSync(directory)
  writeFileSync(join(directory, 'one.img'), 'one')
  const files = new Bin({ options: { directory, keep_days: 3 }, log: createLog(() => {}), clock })
  files.put('one', { reason: 'deleted' })
  const [id = ''] = readdirSync(folder)
  equal(readdirSync(join(folder, id)).sort(), ['entry.json', 'one.img'])
  throws(() => files.put('x'.repeat(300), { reason: 'deleted' }), /ENAMETOOLONG/)
  equal(readdirSync(folder), [id])
  // As after a kill between the two.
  rmSync(join(folder, id, 'one.img'))
  equal([await files.list(), await files.find(Number(id))], [[], undefined])
})

test('what a failed creation has left is deleted, also where no folder can be made: on a full disk', () => {
  const directory = join(lab.folder, 'full')
  mkdirSync(directory)
  for (const file of ['.fleet-host', 'half.img', 'half.img.sum']) writeFileSync(join(directory, file), '')
  const files = new Bin({ options: { directory, keep_days: 3 }, log: createLog(() => {}), clock })
  throws(() => files.put('half', { reason: 'creation failed' }))
  files.discard('half')
  equal(readdirSync(directory), ['.fleet-host'])
})

test.after(() => lab.stop())
test.run()

const days = suite('keep_days 0')

days('image/delete removes the files at once', async () => {
  const other = await startLab({ repository: true, options: { repository: { keep_days: 0 } } })
  await other.create(await other.computer(), { description: 'x' }, { content: 'one' })
  is((await other.call('POST /image/delete', { image: '1' })).status, 200)
  equal([(await other.call('GET /image/bin')).json.bin, other.content('linux.img')], [[], undefined])
  await other.stop()
})

days.run()

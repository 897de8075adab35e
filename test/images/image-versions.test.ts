// Versions of images: what stays of the older file when an image is created again.
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { startLab } from '../harness/lab.ts'
import { md5, serverAddress } from '../harness/lab-images.ts'
import { pollUntil } from '../harness/poll.ts'

const lab = await startLab({ repository: true })
const client = await lab.computer()
const again = { id: '1' }
const names = async () => (await lab.image('linux'))?.versions.map(({ name }: { name: string }) => name)

const versions = suite('versions of images')

versions('a first creation writes version 1, and there are no older ones', async () => {
  equal(await lab.create(client, { description: 'A system' }, { content: 'one' }), { result: 'success' })
  const { version, versions, check, size } = await lab.image('linux')
  equal({ version, versions, check, size }, { version: 1, versions: [], check: { state: 'not checked' }, size: 3 })
})

versions('before an agent is sent a creation whose name exists, the older file is kept as a version', async () => {
  const ended = lab.event('command-ended', { addr: client.addr })
  const payload = { disk: '1', partition: '1', name: 'linux', repository: serverAddress, id: '1', code: '131' }
  await lab.call('POST /image/create', { clients: [client.addr], ...payload })
  await client.agent.next('/image/create')
  equal([lab.content('linux.img'), lab.content('linux.v1.img')], [undefined, 'one'])
  equal([lab.content('linux.img.full.sum'), lab.content('linux.v1.img.full.sum')], [undefined, md5('one')])
  client.agent.answer(500)
  is((await ended).result, 'failure')
})

versions('after a failure the image has its older file again', async () => {
  equal([lab.content('linux.img'), lab.content('linux.v1.img')], ['one', undefined])
  is(lab.content('linux.img.full.sum'), md5('one'))
  is((await lab.create(client, again, { content: 'half', sum: undefined, status: 500 })).result, 'failure')
  equal([lab.content('linux.img'), lab.content('linux.v1.img')], ['one', undefined])
  is((await lab.image('linux')).version, 1)
})

versions('after a lost connection, too', async () => {
  const other = await lab.computer()
  equal(await lab.create(other, again, { content: 'half', status: null }), {
    result: 'failure',
    reason: 'connection lost',
  })
  equal([lab.content('linux.img'), await names()], ['one', []])
})

versions('a creation without a file, or with an empty one, is a failure', async () => {
  const nothing = await lab.create(client, again, { content: undefined })
  equal(nothing, { result: 'failure', reason: 'linux.img: expected a file in the repository, got none' })
  const empty = await lab.create(client, again, { content: '' })
  equal(empty, {
    result: 'failure',
    reason: 'linux.img: expected a file with content in the repository, got an empty one',
  })
  is(lab.content('linux.img'), 'one')
  // Of an empty file nothing is lost, of no file there is nothing.
  equal((await lab.call('GET /image/bin')).json.bin.length, 1)
})

versions('a creation without a checksum, or with an empty one, is a failure, and its file is in the bin', async () => {
  const without = await lab.create(client, again, { content: 'new', sum: undefined })
  equal(without, { result: 'failure', reason: 'linux.img.full.sum: expected a file in the repository, got none' })
  const empty = await lab.create(client, again, { content: 'newer', sum: '' })
  match(empty.reason ?? '', /^linux\.img\.full\.sum: expected a file with content/)
  is(lab.content('linux.img'), 'one')
  const { bin } = (await lab.call('GET /image/bin')).json
  const [newest, older] = bin
  equal([newest.name, newest.reason, newest.size, older.size], ['linux', 'creation failed', 5, 3])
})

versions('after a success the older files are listed as versions, the newest first', async () => {
  for (const content of ['two', 'three']) {
    equal(await lab.create(client, again, { content }), { result: 'success' })
  }
  const { version, versions } = await lab.image('linux')
  is(version, 3)
  const { modified, ...newest } = versions[0]
  equal(newest, { name: 'linux.v2', version: 2, size: 3, permissions: '644', check: { state: 'not checked' } })
  match(modified, /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/)
  equal([lab.content('linux.img'), lab.content('linux.v1.img'), lab.content('linux.v2.img')], ['three', 'one', 'two'])
})

versions('only as many older files as the option repository.keep_versions says are kept', async () => {
  const logged = lab.logged(/linux\.v1: deleted, 2 older versions are kept/)
  equal(await lab.create(client, again, { content: 'four' }), { result: 'success' })
  await logged
  equal([await names(), lab.content('linux.v1.img.full.sum')], [['linux.v3', 'linux.v2'], undefined])
})

versions('a number of a deleted version is not used again', async () => {
  is((await lab.call('POST /image/delete', { image: '1', version: '3' })).status, 200)
  equal(await names(), ['linux.v2'])
  equal(await lab.create(client, again, { content: 'five' }), { result: 'success' })
  equal(
    [await names(), lab.content('linux.v4.img'), (await lab.image('linux')).version],
    [['linux.v4', 'linux.v2'], 'four', 5],
  )
})

versions(
  'an image is not created by two clients at once: the second fails, and the first is not disturbed',
  async () => {
    const other = await lab.computer()
    const payload = { disk: '1', partition: '1', name: 'linux', repository: serverAddress, id: '1', code: '131' }
    const ended = lab.event('command-ended', { addr: client.addr })
    await lab.call('POST /image/create', { clients: [client.addr], ...payload })
    await client.agent.next('/image/create')
    const refused = lab.event('command-ended', { addr: other.addr })
    await lab.call('POST /image/create', { clients: [other.addr], ...payload })
    const { result, reason } = await refused
    equal([result, reason], ['failure', `image linux is being created by ${client.addr}`])
    const deleted = await lab.call('POST /image/delete', { image: '1' })
    is(deleted.headers['x-reason'], `image: linux is being created by ${client.addr}`)
    client.agent.answer(500)
    await ended
    is(lab.content('linux.img'), 'five')
  },
)

versions('the files of a repository of another server are not checked, and nothing is renamed', async () => {
  const elsewhere = { id: '1', repository: '10.9.9.8' }
  equal(await lab.create(client, elsewhere, { content: undefined }), { result: 'success' })
  equal([lab.content('linux.img'), (await lab.image('linux')).version], ['five', 6])
})

versions('a version is restored by its name, and GET /image/stats shows who has which version since when', async () => {
  const other = await lab.computer()
  const payload = { disk: '1', partition: '1', repository: serverAddress, type: 'UNICAST', profile: '1', id: '1' }
  const reply = { disk: '1', partition: '1', image_id: '1' }
  const { body } = await lab.command(
    other.addr,
    other.agent,
    'POST /image/restore',
    { ...payload, name: 'linux.v2' },
    reply,
  )
  equal(body, { ...payload, name: 'linux.v2' })
  const { json } = await lab.call('GET /image/stats?image=1')
  const [{ copies, versions, version }] = json.images
  const of = (addr: string) => copies.find(({ client }: { client: string }) => client === addr)
  equal([version, of(client.addr).version, of(other.addr).version], [6, 6, 2])
  match(of(other.addr).since, /^\d{4}-\d\d-\d\dT/)
  const times = { first: of(other.addr).since, last: of(other.addr).since }
  equal(versions[1], { version: 2, computers: 1, ...times })
  const all = (await lab.call('GET /image/stats')).json.images[0]
  equal([all.name, all.versions, 'copies' in all], ['linux', versions, false])
  is((await lab.call('GET /image/stats?image=99')).status, 400)
})

versions.run()

const crash = suite('creations that a crash interrupted')

crash('the next start takes the older file back, and what was written is in the bin', async () => {
  lab.write('linux.v9.img', 'nine')
  lab.write('linux.img', 'half')
  const own = join(lab.folder, 'images', '.fleet-host')
  mkdirSync(own, { recursive: true })
  const interrupted = { name: 'linux', addr: client.addr, kept: 9, isComplete: false, isReadOnly: false }
  // Of this one the older file had not been renamed yet.
  const early = { ...interrupted, name: 'early', kept: 1 }
  lab.write('early.img', 'early')
  writeFileSync(join(own, 'creations.json'), JSON.stringify([interrupted, early]))
  await lab.stop('keep')
  const next = await startLab({ repository: true, folder: lab.folder })
  equal(
    [next.content('linux.img'), next.content('linux.v9.img'), next.content('early.img')],
    ['nine', undefined, 'early'],
  )
  const { name, reason } = (await next.call('GET /image/bin')).json.bin[0]
  equal([name, reason], ['linux', 'creation failed'])
  await next.stop()
})

/** The folder of a daemon that was killed while an agent wrote the image. */
function interruptedFolder(sum: string | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'interrupted-'))
  const images = join(folder, 'images')
  mkdirSync(join(images, '.fleet-host'), { recursive: true })
  writeFileSync(join(images, 'linux.v9.img'), 'nine')
  writeFileSync(join(images, 'linux.img'), 'half')
  if (sum !== undefined) writeFileSync(join(images, 'linux.img.full.sum'), sum)
  const interrupted = { name: 'linux', addr: client.addr, kept: 9, isComplete: false, isReadOnly: false }
  writeFileSync(join(images, '.fleet-host', 'creations.json'), JSON.stringify([interrupted]))
  return folder
}

for (const { what, written, sum, isKept } of [
  { what: 'half an image is deleted', written: undefined, sum: undefined, isKept: false },
  { what: 'an image that its agent goes on writing is kept', written: 'half and more', sum: undefined, isKept: true },
  { what: 'an image with a checksum is kept', written: undefined, sum: 'sum', isKept: true },
]) {
  crash(`ten minutes after the start ${what}`, async () => {
    const folder = await interruptedFolder(sum)
    const clock = createManualClock('2026-03-02T08:00:00Z')
    const next = await startLab({ repository: true, folder, clock })
    await pollUntil(async () => (await next.call('GET /image/bin')).json.bin.length === 1)
    const [{ id }] = (await next.call('GET /image/bin')).json.bin
    const file = join(folder, 'images', '.fleet-host', 'bin', String(id), 'linux.img')
    if (written !== undefined) writeFileSync(file, written)
    const judged = sum === undefined ? next.logged(/an interrupted creation/) : undefined
    await clock.advance(600_000)
    await judged
    if (!isKept) await pollUntil(() => !existsSync(file))
    equal([existsSync(file), next.content('linux.img')], [isKept, 'nine'])
    await next.stop()
  })
}

crash.run()

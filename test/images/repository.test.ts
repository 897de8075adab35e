// Repositories, and the list of images whose file is in this server's repository.
import { chmodSync, mkdirSync, rmSync, statfsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost({ options: { boot: { server: '10.9.9.9' } } })
const statusOf = async (route: string, payload?: unknown) => (await testHost.call(route, payload)).status
const list = async () => (await testHost.call('GET /repositories')).json

const repositories = suite('repositories')

repositories('repository 1 exists from the start and has the address of this server', async () => {
  equal(await list(), { repositories: [{ id: 1, ip: '10.9.9.9', name: 'default', slots: 0 }] })
})

repositories('a repository that is added is listed with id, ip, name and slots', async () => {
  is(await statusOf('POST /repository/add', { name: 'second', ip: '10.9.9.8' }), 200)
  equal((await list()).repositories[1], { id: 2, ip: '10.9.9.8', name: 'second', slots: 0 })
})

repositories('a second repository of the same name is refused with 400', async () => {
  is(await statusOf('POST /repository/add', { name: 'second', ip: '10.9.9.7' }), 400)
  is((await list()).repositories.length, 2)
})

repositories('a repository that a computer uses is not deleted', async () => {
  await testHost.addComputer('10.1.1.1', { repo_id: 2 })
  is(await statusOf('POST /repository/delete', { id: '2' }), 400)
  await testHost.call('POST /client/delete', { clients: ['10.1.1.1'] })
  is(await statusOf('POST /repository/delete', { id: '2' }), 200)
  is((await list()).repositories.length, 1)
})

repositories('repository 1 and unknown ones cannot be deleted', async () => {
  for (const id of ['1', '2', '99', 'x', 1]) is(await statusOf('POST /repository/delete', { id }), 400)
  is((await list()).repositories.length, 1)
})

repositories.run()

const images = suite('images')
images.after(() => testHost.stop())

const folder = join(testHost.folder, 'images')
const fileOf = (name: string) => join(folder, `${name}.img`)

/** Stores only the record: no agent is connected that creates the file. */
async function addImage(name: string): Promise<void> {
  const payload = { clients: ['10.9.9.1'], disk: '1', partition: '1', code: '131', repository: '10.9.9.9' }
  is(await statusOf('POST /image/create', { ...payload, name, id: '0', description: 'x' }), 200)
}

images('without images the list is empty, and the disk is reported', async () => {
  const { json } = await testHost.call('GET /images')
  equal(json.images, [])
  const { bsize, blocks } = statfsSync(folder)
  is(json.disk.total, bsize * blocks)
  ok(Number.isInteger(json.disk.free) && json.disk.free > 0 && json.disk.free < json.disk.total)
})

images('only images whose file exists in the repository are listed', async () => {
  for (const name of ['one', 'two', 'folder', 'with space é']) await addImage(name)
  writeFileSync(fileOf('two'), 'twelve bytes')
  writeFileSync(fileOf('stranger'), 'without a record')
  writeFileSync(join(folder, 'one'), 'without .img')
  mkdirSync(fileOf('folder'))
  writeFileSync(fileOf('with space é'), '')
  const { json } = await testHost.call('GET /images')
  equal(
    json.images.map(({ name }: { name: string }) => name),
    ['two', 'with space é'],
  )
})

images('an image has the size, modification time and permissions of its file', async () => {
  chmodSync(fileOf('two'), 0o640)
  const modified = new Date(2026, 10, 6, 9, 5, 0)
  utimesSync(fileOf('two'), modified, modified)
  const { json } = await testHost.call('GET /images')
  equal(json.images[0], {
    name: 'two',
    datasize: 0,
    size: 12,
    modified: 'Fri Nov  6 09:05:00 2026',
    permissions: '640',
    software_id: 0,
    type: 1,
    id: 2,
    repo_id: 1,
    center_id: 0,
    system: '',
    computers: 0,
    check: { state: 'not checked' },
    version: 0,
    versions: [],
  })
})

for (const [when, modified] of [
  [new Date(2026, 1, 28, 23, 59, 58), 'Sat Feb 28 23:59:58 2026'],
  [new Date(2024, 1, 29, 0, 0, 0), 'Thu Feb 29 00:00:00 2024'],
  [new Date(1999, 11, 31, 12, 30, 1), 'Fri Dec 31 12:30:01 1999'],
] as const) {
  images(`the modification time is local, in the form of ${modified}`, async () => {
    utimesSync(fileOf('two'), when, when)
    is((await testHost.call('GET /images')).json.images[0].modified, modified)
  })
}

for (const [mode, permissions] of [
  [0o777, '777'],
  [0o600, '600'],
  [0o4755, '755'],
] as const) {
  images(`permissions are the octal permission bits: ${permissions}`, async () => {
    chmodSync(fileOf('two'), mode)
    is((await testHost.call('GET /images')).json.images[0].permissions, permissions)
  })
}

images('an image whose file has been deleted is not listed', async () => {
  rmSync(fileOf('two'))
  is((await testHost.call('GET /images')).json.images.length, 1)
})

images('a repository that an image uses is not deleted', async () => {
  await testHost.call('POST /repository/add', { name: 'third', ip: '10.9.9.7' })
  const payload = { clients: ['10.9.9.1'], disk: '1', partition: '1', code: '131', repository: '10.9.9.7' }
  is(await statusOf('POST /image/create', { ...payload, name: 'there', id: '0', description: 'x' }), 200)
  const { id } = (await list()).repositories[1]
  is(await statusOf('POST /repository/delete', { id: String(id) }), 400)
})

images.run()

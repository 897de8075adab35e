// The cache of images of a computer in a live system: a folder in place of its partition, and the real programs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { cacheFolder, cachePrograms } from '../../host/live-system/cache-programs.ts'
import { contentOf, serverAddress, startCopyLab } from '../harness/copy-lab.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { skipFile } from '../harness/skip-file.ts'

if (['partclone.extfs', 'zstd', 'curl'].some(name => spawnSync(name, ['--version']).error)) skipFile('partclone')

export const runs = { seconds: 20 }

const mebibyte = 1024 * 1024
const lab = await startCopyLab()
const jobs = followJobs(lab)
const master = await lab.computer('127.0.47.1', 48 * mebibyte)
/** Where its cache will be. */
const cache = lab.folderOf('127.0.47.2', 'cache')
process.env.OGCAC = cache
const other = await lab.computer('127.0.47.2', 48 * mebibyte)
const content = 'a line of the file\n'.repeat(20_000)
lab.fill(master.device, content)
const images = join(cache, 'opt/opengnsys/images')

const test = suite('cache of a live system')
test.after(() => lab.stop())

/** Resolves to how the part of the only client has ended, and what it has printed. */
async function run(route: string, payload: object) {
  const response = await lab.call(route, payload)
  is(response.status, 200, String(response.headers['x-reason']))
  await jobs.finished(jobIdOf(response))
  const [part] = await jobs.parts(jobIdOf(response), `?client=${other.addr}`)
  return [part?.state, part?.reason ?? part?.output ?? '']
}

const place = { disk: '1', partition: '1', name: 'debian', repository: serverAddress, id: '0' }
const clients = [other.addr]
const restore = async (type = 'UNICAST-CACHE') => {
  const end = await run('POST /image/restore', { clients, ...place, type, profile: '0' })
  if (end[0] === 'success') is(contentOf(other.device, 'content'), content)
  return end
}

const cached = () => readdirSync(images).sort()

test('without a cache, a restore that asks for it is done all the same, and says so', async () => {
  const image = { clients: [master.addr], ...place, code: '131', description: 'Debian' }
  await jobs.finished(jobIdOf(await lab.call('POST /image/create', image)))
  equal(await restore(), ['success', 'the image does not go into the cache: this computer has none\n'])
})

test('an inventory has the cache as such', async () => {
  mkdirSync(cache)
  equal(await restore('UNICAST'), ['success', ''])
  const { partitions } = (await lab.call('GET /client/setup', { client: clients })).json
  const [, , row] = partitions
  equal([row.code, row.filesystem], [0xca00, 2])
})

test('the first restore puts the image into the cache, the next ones come from there', async () => {
  equal(await restore(), ['success', 'the image is in the cache now\n'])
  equal(cached(), ['debian.img', 'debian.img.full.sum'])
  for (const type of ['UNICAST-CACHE', 'TORRENT', 'MULTICAST-CACHE'])
    equal(await restore(type), ['success', 'the image came from the cache\n'])
  equal(await restore('UNICAST'), ['success', ''])
})

test('an image that was damaged in the cache comes from the daemon, and replaces it', async () => {
  const file = join(images, 'debian.img')
  const bytes = readFileSync(file)
  writeFileSync(file, Buffer.from(bytes).fill(bytes[2000] === 0 ? 1 : 0, 2000, 2001))
  const [state, output = ''] = await restore()
  is(state, 'success')
  match(output, /^the restore from the cache failed, the daemon sends the image: .*\nthe image is in the cache now\n$/)
  is(readFileSync(file).equals(bytes), true)
})

test('another version in the cache is replaced', async () => {
  writeFileSync(join(images, 'debian.img.full.sum'), `${'0'.repeat(32)}\n`)
  equal(await restore(), ['success', 'the image is in the cache now\n'])
})

test('an image that is damaged in the repository does not get into the cache', async () => {
  rmSync(images, { recursive: true })
  const before = readFileSync(lab.image('debian.img'))
  writeFileSync(lab.image('debian.img'), Buffer.from(before).fill(before[2000] === 0 ? 1 : 0, 2000, 2001))
  const [state, reason = ''] = await restore()
  is(state, 'failure')
  match(reason, /zstd: |partclone.restore: |the image is damaged: /)
  equal(cached(), [])
  writeFileSync(lab.image('debian.img'), before)
})

test('a cache that gets full keeps nothing, and the restore succeeds', async () => {
  symlinkSync('/dev/full', join(images, 'debian.img.part'))
  const [state, output = ''] = await restore()
  is(state, 'success')
  match(output, /^the image does not go into the cache: ENOSPC/)
  equal(cached(), [])
})

test('commands for the cache fill, list and delete it', async () => {
  other.fixture.program('ogMountCache', '')
  // Of the addresses of this machine, that of the computer.
  other.fixture.program('curl', `#!/bin/sh\nexec /usr/bin/curl --interface ${other.addr} "$@"\n`)
  other.fixture.program('updateCache', cachePrograms['opt/opengnsys/bin/updateCache'].replaceAll(cacheFolder, cache))
  const fetch = () => run('POST /cache/fetch', { clients, name: 'debian' })
  equal(await fetch(), ['success', ''])
  equal(await fetch(), ['success', 'the cache has it'])
  const { length } = readFileSync(lab.image('debian.img'))
  match((await run('POST /cache/list', { clients }))[1] ?? '', new RegExp(`^\\d+ of \\d+ KiB free\n${length} debian$`))
  equal(await restore(), ['success', 'the image came from the cache\n'])
  equal(await run('POST /cache/delete', { clients, images: ['debian'] }), ['success', 'deleted: debian'])
  equal(cached(), [])
})

test('an image that the daemon does not have does not get into the cache', async () => {
  const [state, reason = ''] = await run('POST /cache/fetch', { clients, name: 'none', repository: serverAddress })
  equal([state, reason], ['failure', 'updateCache ended with exit code 1'])
  equal(cached(), [])
})

test.run()

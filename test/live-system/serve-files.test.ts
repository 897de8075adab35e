// The files of live systems over HTTP, and the list of live systems.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, not } from 'uvu/assert'
import { tellBuild } from '../../host/live-system/build-state.ts'
import { pollUntil } from '../harness/poll.ts'
import { call } from '../harness/rest-call.ts'
import { startTestHost } from '../harness/test-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleet-live-'))
const live = join(folder, 'data/live')
const testHost = await startTestHost({
  folder,
  options: { store: { adapter: 'memory', path: './data' }, boot: { output: './boot' } },
})

/** More than what one read and the buffers of the system hold. */
const image = 'a file system '.repeat(300_000)

mkdirSync(join(live, '.debian-1'), { recursive: true })
symlinkSync('.debian-1', join(live, 'debian'))
symlinkSync('debian', join(live, 'ogLive'))
const manifest = {
  name: 'debian',
  built: '2026-11-28T08:00:00.000Z',
  distribution: 'bookworm',
  kernel: '6.1.0-1-amd64',
}
writeFileSync(join(live, 'debian/manifest.json'), JSON.stringify({ ...manifest, architecture: 'amd64' }))
writeFileSync(join(live, 'debian/root.squashfs'), image)
writeFileSync(join(live, 'debian/vmlinuz'), '')
writeFileSync(join(live, 'debian/other'), 'not served')
writeFileSync(join(folder, 'data/vmlinuz'), 'outside')

const get = (path: string, headers: Record<string, string> = {}) =>
  call(testHost.host.ports.rest, `GET /live/${path}`, undefined, { Authorization: '', ...headers })

const test = suite('files of live systems')

test.after(async () => {
  await testHost.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('thirty computers load a file at the same time, without a token, and no file stays open', async () => {
  const responses = await Promise.all(Array.from({ length: 30 }, () => get('debian/root.squashfs')))
  for (const { status, headers, text } of responses) {
    equal([status, headers['content-length'], headers['accept-ranges']], [200, String(image.length), 'bytes'])
    is(text === image, true)
  }
  is((await get('ogLive/root.squashfs')).text === image, true)
  await pollUntil(() => openFiles() === 0)
})

test('HEAD says how long a file is, as firmware asks before it loads one, and no file stays open', async () => {
  const head = (path: string) => call(testHost.host.ports.rest, `HEAD /live/${path}`, undefined, { Authorization: '' })
  const { status, headers, text } = await head('debian/root.squashfs')
  equal([status, headers['content-length'], text], [200, String(image.length), ''])
  const empty = await head('debian/vmlinuz')
  equal([empty.status, empty.headers['content-length']], [200, '0'])
  is((await head('debian/initrd')).status, 404)
  await pollUntil(() => openFiles() === 0)
})

test('a computer that leaves leaves no file open', async () => {
  await testHost.raw('GET /live/debian/root.squashfs HTTP/1.1\r\n\r\n', /file system/)
  await pollUntil(() => openFiles() === 0)
})

test('a file is served in parts', async () => {
  const last = image.length - 1
  const rows: [range: string, status: number, contentRange: string | undefined, text: string][] = [
    ['bytes=2-5', 206, `bytes 2-5/${image.length}`, 'file'],
    [`bytes=${last - 6}-`, 206, `bytes ${last - 6}-${last}/${image.length}`, 'system '],
    ['bytes=-7', 206, `bytes ${last - 6}-${last}/${image.length}`, 'system '],
    [`bytes=${last}-${last + 9}`, 206, `bytes ${last}-${last}/${image.length}`, ' '],
    [`bytes=${last + 1}-`, 416, `bytes */${image.length}`, ''],
    ['bytes=-0', 416, `bytes */${image.length}`, ''],
    ['bytes=5-2', 200, undefined, image],
    ['bytes=0-1,4-5', 200, undefined, image],
    ['lines=1-2', 200, undefined, image],
  ]
  for (const [range, status, contentRange, text] of rows) {
    const response = await get('debian/root.squashfs', { Range: range })
    equal([response.status, response.headers['content-range']], [status, contentRange], range)
    is(response.text === text, true, range)
  }
})

test('a part of a file that another one has replaced is the whole new file', async () => {
  const { etag = '' } = (await get('debian/root.squashfs', { Range: 'bytes=0-1' })).headers
  const part = async (condition: string) =>
    (await get('debian/root.squashfs', { Range: 'bytes=2-5', 'If-Range': condition })).status
  equal([await part(String(etag)), await part('"another"')], [206, 200])
})

test('the image of the boot loaders is served as what firmware takes for a disk', async () => {
  is((await get('boot.img')).status, 404)
  mkdirSync(join(folder, 'boot'), { recursive: true })
  writeFileSync(join(folder, 'boot/boot.img'), 'loaders')
  const { headers, text } = await get('boot.img')
  equal([headers['content-type'], text], ['application/vnd.efi-img', 'loaders'])
})

test('an empty file is served', async () => {
  const { status, headers, text } = await get('debian/vmlinuz')
  equal([status, headers['content-length'], text], [200, '0', ''])
})

test('nothing else is served', async () => {
  const paths = [
    '',
    'debian',
    'debian/',
    'debian/other',
    'debian/initrd',
    '.debian-1/vmlinuz',
    '../vmlinuz',
    '%2e%2e/vmlinuz',
  ]
  for (const path of [
    ...paths,
    'debian/../../vmlinuz',
    'debian%2f..%2f../vmlinuz',
    'debian/vmlinuz/x',
    '%00/vmlinuz',
  ]) {
    const { status, text } = await get(path)
    not.equal(status, 200, path)
    is(text, '', path)
  }
})

test('the live systems of this server are listed after those of the option', async () => {
  const built = {
    distribution: 'bookworm',
    kernel: '6.1.0-1-amd64',
    architecture: 'amd64',
    revision: '20261128',
    directory: 'debian',
    iso: '',
  }
  const { json } = await testHost.call('GET /oglive/list')
  equal(json.oglive.slice(1), [built])
  equal([json.default, json.oglive[0].directory], [0, 'ogLive'])
})

test('a build that runs is in the list with what it does, one that has ended or was killed is not', async () => {
  const building = async () => (await testHost.call('GET /oglive/list')).json.building
  is(await building(), undefined)
  const state = tellBuild(live, 'exam')
  state.update(42.7, 'Unpacking zstd')
  await pollUntil(async () => (await building())?.percent === 42)
  equal(await building(), { name: 'exam', percent: 42, line: 'Unpacking zstd' })
  await state.close()
  is(await building(), undefined)
  writeFileSync(join(live, '.building.json'), JSON.stringify({ name: 'exam', percent: 42, line: '' }))
  utimesSync(join(live, '.building.json'), 1, 1)
  is(await building(), undefined)
})

/** Of this process, in the folder of live systems. */
function openFiles(): number {
  return readdirSync('/proc/self/fd').filter(name => linkOf(`/proc/self/fd/${name}`).startsWith(live)).length
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

test.run()

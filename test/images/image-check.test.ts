// POST /image/check: the comparison of a file with the checksum that the agent wrote beside it.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { digestFile } from '../../host/images/checks.ts'
import { startLab } from '../harness/lab.ts'
import { md5 } from '../harness/lab-images.ts'
import { measurePause } from '../harness/longest-pause.ts'

export const runs = { postgres: false }

const lab = await startLab({ repository: true })
const client = await lab.computer()
await lab.create(client, { description: 'A system' }, { content: 'one' })
await lab.create(client, { id: '1' }, { content: 'two' })

/** Sends a check, and resolves to its result. */
async function check(payload: object = { image: '1' }) {
  const changed = lab.event('image-changed', { image: 1 })
  const { status, text } = await lab.call('POST /image/check', payload)
  equal([status, text], [200, ''])
  await changed
  const { at, ...result } = (await lab.image('linux')).check
  match(at, /^\d{4}-\d\d-\d\dT/)
  return result
}

const test = suite('POST /image/check')

test('a file that matches its checksum is ok, in GET /images with the time', async () => {
  equal(await check(), { state: 'ok' })
})

test('the older versions have checks of their own', async () => {
  equal((await lab.image('linux')).versions[0].check, { state: 'not checked' })
  lab.write('linux.v1.img', 'on!')
  equal(await check({ image: '1', version: '1' }), { state: 'ok' })
  is((await lab.image('linux')).versions[0].check.state, 'damaged')
})

test('a file that was changed is not checked, and then damaged', async () => {
  lab.write('linux.img', 'tw0')
  utimesSync(join(lab.folder, 'images', 'linux.img'), new Date(), new Date(2030, 1, 1))
  equal((await lab.image('linux')).check, { state: 'not checked' })
  equal(await check(), { state: 'damaged' })
  await lab.logged(new RegExp(`check of linux: the file is damaged: expected MD5 ${md5('two')}, got ${md5('tw0')}`))
})

test('the checksum may be followed by a name, and its digits may be capitals', async () => {
  lab.write('linux.img.full.sum', `${md5('tw0').toUpperCase()}  /images/linux.img\n`)
  equal(await check(), { state: 'ok' })
})

test('without a checksum, or with another text, the state is "no checksum"', async () => {
  for (const text of ['', 'none', `${md5('tw0')}0`, 'x'.repeat(5000)]) {
    lab.write('linux.img.full.sum', text)
    equal(await check(), { state: 'no checksum' })
  }
  rmSync(join(lab.folder, 'images', 'linux.img.full.sum'))
  equal(await check(), { state: 'no checksum' })
})

test('unknown images and versions are refused, and images without a file', async () => {
  for (const payload of [{ image: '99' }, { image: '1', version: '7' }, { image: '1', version: '0' }])
    is((await lab.call('POST /image/check', payload)).status, 400)
})

test('the results are still there after a restart, also where the file of results is damaged later', async () => {
  const { check } = await lab.image('linux')
  await lab.stop('keep')
  const next = await startLab({ repository: true, folder: lab.folder })
  equal(JSON.parse(next.content('.fleet-host/checks.json') ?? '').length, 2)
  is((await next.call('POST /image/check', { image: '1' })).status, 400, 'the memory store has no images')
  await next.stop('keep')
  writeFileSync(join(lab.folder, 'images', '.fleet-host', 'checks.json'), '{"torn')
  const last = await startLab({ repository: true, folder: lab.folder })
  await last.logged(/checks\.json: cannot be read, ignored/)
  await last.stop()
  is(check.state, 'no checksum')
})

test.run()

const digest = suite('the digest of a file')
const folder = mkdtempSync(join(tmpdir(), 'fleet-host-digest-'))
const signal = new AbortController().signal

digest('is read in slices that leave the event loop to other work', async () => {
  const path = join(folder, 'large')
  const content = Buffer.alloc(48 * 1024 * 1024, 'image')
  writeFileSync(path, content)
  const progress: number[] = []
  const began = process.cpuUsage()
  const start = performance.now()
  const { result, longest } = await measurePause(() =>
    digestFile(path, { signal, onProgress: bytes => progress.push(bytes) }),
  )
  is(result, md5(content.toString('latin1')))
  equal([progress.length > 100, progress.at(-1)], [true, content.length])
  const whole = performance.now() - start
  ok(longest < whole / 4, `blocked for ${longest} of ${whole} ms`)
  const { user, system } = process.cpuUsage(began)
  const share = (user + system) / 1000 / whole
  ok(share < 0.8, `used ${share} of a core`)
})

digest('of an empty file is that of no bytes, and one that is aborted rejects', async () => {
  const path = join(folder, 'empty')
  writeFileSync(path, '')
  is(await digestFile(path, { signal }), md5(''))
  const reason = await digestFile(path, { signal: AbortSignal.abort() }).catch((error: Error) => error.name)
  is(reason, 'AbortError')
})

digest.after(() => rmSync(folder, { recursive: true }))
digest.run()

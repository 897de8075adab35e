// `fleet live`: builds with stand-ins for mmdebstrap and mksquashfs, and what becomes of the last live system.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, statSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLiveBuilder } from '../harness/live-builder.ts'
import { pollUntil } from '../harness/poll.ts'
import { skipFile } from '../harness/skip-file.ts'

if (process.getuid?.() !== 0) skipFile('root')

const builder = createLiveBuilder()
const { build, run, read, names } = builder

const test = suite('live systems')

test.after(() => builder.remove())

test('without the programs one error names them and what installs them, and nothing is written', async () => {
  assert.equal(await builder.buildWithoutPrograms(), {
    code: 1,
    out: '',
    error:
      'fleet: live: expected mmdebstrap, mksquashfs, setpriv, unshare, got none: ' +
      'apt-get install mmdebstrap squashfs-tools util-linux\n',
  })
  assert.equal((await run('list')).out, 'there is none: fleet live build makes one\n')
})

test('a name or a package that is none is refused, and so is a user who is not root', async () => {
  const error = async (...args: string[]) => (await run('build', ...args)).error
  assert.match(await error('--name', '../x'), 'NAME: expected letters, digits, ".", "_" and "-", got "../x"')
  assert.match(await error('--name', 'ogLive'), 'NAME: expected another one than ogLive, which means the default')
  assert.match(await error('--packages', 'vim,--mode=x'), '--packages: expected names of packages, got "--mode=x"')
  const { getuid } = process
  process.getuid = () => 1000
  assert.match(await error(), 'expected root')
  Object.assign(process, { getuid })
})

test('a build has kernel, initial file system, image and manifest, which belong to the user of the data folder', async () => {
  chownSync(builder.data, 1234, 1234)
  const { code, out, error } = await build('first', '--packages', 'vim,less', '--mirror', 'http://127.0.0.1/debian')
  assert.equal([code, error], [0, ''])
  assert.match(out, /^debian: kernel 6\.1\.0-1-amd64, 0 MB to load, built 20/)
  assert.equal(names(), ['.debian', 'debian', 'ogLive'])
  assert.match(
    read('debian/root.squashfs'),
    /^etc\/hostname\netc\/machine-id\netc\/systemd\/.*opt\/fleet-agent\/node\n/s,
  )
  assert.not.match(read('debian/root.squashfs'), 'resolv.conf')
  const manifest = JSON.parse(read('debian/manifest.json'))
  assert.equal(manifest.packages, { zstd: '1.5' })
  assert.equal([manifest.kernel, manifest.node], ['6.1.0-1-amd64', process.version])
  for (const [name, { size, sha256 }] of Object.entries<{ size: number; sha256: string }>(manifest.files)) {
    const content = read('ogLive', name)
    assert.equal([size, sha256], [content.length, createHash('sha256').update(content).digest('hex')])
    const { uid, gid, mode } = statSync(`${builder.live}/debian/${name}`)
    assert.equal([uid, gid, mode & 0o777], [1234, 1234, 0o644])
  }
  const words = builder.trace('arguments')
  assert.match(words, /--include=linux-image-amd64,\S*,vim,less bookworm \S+ http:\/\/127\.0\.0\.1\/debian$/)
  assert.not.match(words, 'firmware')
})

test('--keep-firmware adds the firmware of network cards', async () => {
  assert.is((await build('firmware', '--keep-firmware', '--name', 'other')).code, 0)
  assert.match(builder.trace('arguments'), /--components=main non-free-firmware .*,firmware-realtek /)
  const { out } = await run('list')
  assert.match(out, /^NAME +DEFAULT .*\ndebian +yes +bookworm .*\nother +bookworm /)
})

test('a build that fails gives the last lines as reason, and leaves the live system of that name', async () => {
  const { code, error } = await build('fail')
  assert.is(code, 1)
  assert.is(
    error,
    'fleet: live: mmdebstrap: ended with 25\n  I: downloading packages with apt...\n  E: no such package: nothing\n',
  )
  assert.equal(names(), ['.debian', '.other', 'debian', 'ogLive', 'other'])
  assert.is(read('debian/vmlinuz'), 'kernel first\n')
})

test('a build that is interrupted, or killed, ends all its programs and leaves the live system of that name', async () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const child = builder.start()
    const [error, closed] = [text(child.stderr), once(child, 'close')]
    await pollUntil(() => builder.waits())
    for (const { error } of [await build('second'), await run('delete', 'other'), await run('default', 'other')])
      assert.match(error, 'expected no build of a live system, got one that is running')
    child.kill(signal)
    await closed
    // The kernel ends the programs of a killed build a moment later.
    if (signal === 'SIGKILL') await pollUntil(() => !builder.waits())
    assert.not(builder.waits())
    assert.is(await error, signal === 'SIGINT' ? 'fleet: live: interrupted\n' : '')
    const left = signal === 'SIGINT' ? [] : ['.debian.unfinished']
    assert.equal(names(), ['.debian', ...left, '.other', 'debian', 'ogLive', 'other'])
    assert.is(read('debian/vmlinuz'), 'kernel first\n')
  }
})

test('the next build takes the place of the last one and removes what is left', async () => {
  assert.is((await build('third')).code, 0)
  assert.equal(names(), ['.debian', '.other', 'debian', 'ogLive', 'other'])
  assert.is(read('ogLive/vmlinuz'), 'kernel third\n')
})

test('the default can be changed, and is deleted last', async () => {
  assert.is((await run('delete', 'nothing')).error, 'fleet: live: NAME: expected debian, other, got "nothing"\n')
  assert.match((await run('delete', 'debian')).error, 'debian is the default: choose another one before')
  assert.is((await run('default', 'other')).out, 'other is the default\n')
  assert.is(read('ogLive/vmlinuz'), 'kernel firmware\n')
  assert.is((await run('delete', 'debian')).out, 'debian is deleted\n')
  assert.is((await run('delete', 'other')).code, 0)
  assert.equal(names(), [])
})

test.run()

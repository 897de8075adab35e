// Images that agents in a live system make and restore, with the real programs and files in place of partitions.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { contentOf, serverAddress, startCopyLab } from '../harness/copy-lab.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { pollUntil } from '../harness/poll.ts'
import { skipFile } from '../harness/skip-file.ts'

if (spawnSync('partclone.extfs', ['--version']).error || spawnSync('zstd', ['--version']).error) skipFile('partclone')

const mebibyte = 1024 * 1024
const lab = await startCopyLab()
const jobs = followJobs(lab)
const content = 'a line of the file\n'.repeat(20_000)
const master = await lab.computer('127.0.44.1', 48 * mebibyte)
const other = await lab.computer('127.0.44.2', 64 * mebibyte)
lab.fill(master.device, content)

const test = suite('images of a live system')
test.after(() => lab.stop())

/** Resolves to how the part of the only client has ended. */
async function run(route: string, payload: object) {
  const response = await lab.call(route, payload)
  is(response.status, 200, String(response.headers['x-reason']))
  const [part] = await jobs.finished(jobIdOf(response))
  return [part?.state, part?.reason ?? '']
}

const place = { disk: '1', partition: '1', name: 'debian', repository: serverAddress, id: '0' }

const create = (more: object = {}) =>
  run('POST /image/create', { clients: [master.addr], ...place, code: '131', description: 'Debian', ...more })

const restore = (more: object = {}) =>
  run('POST /image/restore', { clients: [other.addr], ...place, type: 'UNICAST', profile: '0', ...more })

const filesOf = (name: string) => readdirSync(lab.image('.')).filter(file => file.startsWith(name))

test('an image is in the repository with its checksum and a description', async () => {
  equal(await create(), ['success', ''])
  equal(filesOf('debian').sort(), ['debian.img', 'debian.img.full.sum', 'debian.img.json'])
  const file = readFileSync(lab.image('debian.img'))
  const digest = (kind: string) => createHash(kind).update(file).digest('hex')
  is(readFileSync(lab.image('debian.img.full.sum'), 'utf8'), `${digest('md5')}\n`)
  const { created: _created, ...manifest } = JSON.parse(readFileSync(lab.image('debian.img.json'), 'utf8'))
  const digests = { size: file.length, sha256: digest('sha256'), md5: digest('md5') }
  const copied = { datasize: 48 * mebibyte, clonator: 'PARTCLONE', compressor: 'ZSTD', filesystem: 'EXT4' }
  equal(manifest, { system: 'Debian 12', ...copied, by: 'pc-127.0.44.1', ...digests })
  const [image] = (await lab.call('GET /images')).json.images
  equal([image.name, image.datasize, image.size], ['debian', 48 * mebibyte, file.length])
})

test('it is restored into a larger partition, whose file system grows, and its progress is reported', async () => {
  const progress = lab.event('job-progress', { addr: other.addr })
  equal(await restore(), ['success', ''])
  is((await progress).percent > 0, true)
  is(contentOf(other.device, 'content'), content)
  execFileSync('e2fsck', ['-f', '-n', other.device], { stdio: 'ignore' })
  const header = execFileSync('dumpe2fs', ['-h', other.device], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const numberOf = (key: string) => Number(new RegExp(`^${key}: +(\\d+)`, 'm').exec(header)?.[1])
  is(numberOf('Block count') * numberOf('Block size'), 64 * mebibyte)
  const { partitions } = (await lab.call('GET /client/setup', { client: [other.addr] })).json
  const [, row] = partitions
  equal([row.filesystem, row.image], [6, 1])
})

/** Changes the file of an image; what the daemon knows of it stays. */
function damage(change: (bytes: Buffer) => Buffer): void {
  writeFileSync(lab.image('debian.img'), change(readFileSync(lab.image('debian.img'))))
}

const whole = () => readFileSync(lab.image('debian.img'))

const filesystemOf = (device: string) =>
  spawnSync('blkid', ['--probe', '--output', 'value', '--match-tag', 'TYPE', device], {
    encoding: 'utf8',
  }).stdout.trim()

test('an image that was damaged in the repository is a failure, and the partition has no file system then', async () => {
  const before = whole()
  const rows: [change: (bytes: Buffer) => Buffer, reason: RegExp][] = [
    [bytes => bytes.fill(bytes[2000] === 0 ? 1 : 0, 2000, 2001), /zstd: |partclone.restore: |the image is damaged: /],
    [bytes => bytes.subarray(0, 3000), /zstd: |partclone.restore: |the image is damaged: /],
    // Behind the end of what is compressed.
    [bytes => Buffer.concat([bytes, Buffer.from('x')]), /zstd: |the image is damaged: /],
  ]
  for (const [change, reason] of rows) {
    damage(change)
    const [state, text = ''] = await restore()
    is(state, 'failure')
    match(text, reason)
    is(filesystemOf(other.device), '')
    writeFileSync(lab.image('debian.img'), before)
  }
  equal(await restore(), ['success', ''])
})

test('images of the family are restored, and their checksum counts', async () => {
  const plain = execFileSync('zstd', ['--decompress', '--stdout', lab.image('debian.img')], { maxBuffer: 2 ** 28 })
  const zipped = gzipSync(plain)
  writeFileSync(lab.image('old.img'), zipped)
  writeFileSync(lab.image('old.img.full.sum'), createHash('md5').update(zipped).digest('hex'))
  equal(await restore({ name: 'old' }), ['success', ''])
  is(contentOf(other.device, 'content'), content)
  writeFileSync(lab.image('old.img.full.sum'), '0'.repeat(32))
  const [state, reason = ''] = await restore({ name: 'old' })
  is(state, 'failure')
  match(reason, /the image is damaged: expected MD5 0{32}, got /)
})

test('a restore after which there is no file system is a failure', async () => {
  const mute = await lab.computer('127.0.44.4', 64 * mebibyte)
  mute.fixture.program('partclone.restore', '#!/bin/sh\nexec cat > /dev/null\n')
  const [state, reason = ''] = await restore({ clients: [mute.addr] })
  is(state, 'failure')
  match(reason, /the image was restored, but what follows has failed: .*disk1: expected a file system, got none/)
})

test('a restore of which nothing comes leaves the partition as it is', async () => {
  equal(await restore(), ['success', ''])
  writeFileSync(lab.image('nothing.img'), '')
  const reason = 'agent replied 500: the image: expected a file with content, got an empty one'
  equal(await restore({ name: 'nothing' }), ['failure', reason])
  is(filesystemOf(other.device), 'ext4')
})

test('a partition that is too small is a failure with the reason', async () => {
  const small = await lab.computer('127.0.44.3', 40 * mebibyte)
  // The daemon knows the size of its own images: this one is not in its list.
  const [state, reason = ''] = await restore({ clients: [small.addr], name: 'old' })
  is(state, 'failure')
  match(reason, /Target partition size|the image is damaged|partclone/)
})

test('a partition without a file system is not made an image of, nor one that is not there', async () => {
  const [state, reason = ''] = await run('POST /image/create', {
    ...{ clients: ['127.0.44.3'], ...place, name: 'empty', code: '131', description: 'Empty' },
  })
  is(state, 'failure')
  match(reason, /expected a file system of ext2, .*, got none/)
  equal(filesOf('empty'), [])
})

test('a repository of another server is a failure with the reason', async () => {
  const [state, reason = ''] = await restore({ repository: '10.1.1.1' })
  is(state, 'failure')
  match(reason, /repository: expected that of this server, .*, got 10\.1\.1\.1/)
})

test('an image is kept as a version when another one is made, and comes back when that fails', async () => {
  const before = whole()
  equal(await create({ description: undefined }), ['success', ''])
  equal(filesOf('debian.v1').sort(), ['debian.v1.img', 'debian.v1.img.full.sum', 'debian.v1.img.json'])
  ok(before.equals(readFileSync(lab.image('debian.v1.img'))))
  equal(await restore({ name: 'debian.v1' }), ['success', ''])
  const newer = whole()
  execFileSync('wipefs', ['--all', master.device], { stdio: 'ignore' })
  is((await create({ description: undefined }))[0], 'failure')
  ok(newer.equals(whole()))
})

test('without space for an image it is a failure, also on the screen, and the older one stays', async () => {
  lab.fill(master.device, content)
  const before = whole()
  const screen = join(master.fixture.root, 'dev/tty1')
  master.fixture.file('dev/tty1', '')
  // Each has a number.
  const files = Array.from({ length: 30 }, (_, index) => lab.image(`.fleet-host/received-${master.addr}.${index}.img`))
  for (const file of files) symlinkSync('/dev/full', file)
  const cloner = master.fixture.record('cloner')
  // It has more to send when the daemon has replied.
  master.fixture.program('partclone.extfs', `#!/bin/sh\necho $$ > ${cloner}\nexec cat /dev/urandom\n`)
  const [state, text = ''] = await create({ description: undefined })
  equal([state, text], ['failure', `agent replied 500: no space left in ${lab.image('')}`.replace(/\/$/, '')])
  is(existsSync(`/proc/${readFileSync(cloner, 'utf8').trim()}`), false, 'it reads no more')
  ok(before.equals(whole()))
  for (const file of files) rmSync(file, { force: true })
  master.fixture.program('partclone.extfs', '#!/bin/sh\nexec /usr/sbin/partclone.extfs "$@"\n')
  const isShown = () => readFileSync(screen, 'utf8').split('\x1b[H').at(-1)?.includes('State     connected') === true
  await pollUntil(() => isShown())
  match(
    readFileSync(screen, 'utf8').replace(/\s+/g, ' '),
    'Before image/create debian, disk 1, partition 1: no space left',
  )
})

test('an agent that ends while it sends an image leaves nothing of it', async () => {
  lab.fill(master.device, content)
  const part = lab.event('job-progress', { addr: master.addr })
  const failed = create({ name: 'half', description: 'Half' })
  await part
  master.agent.kill('SIGKILL')
  const [state] = await failed
  // It may have replied just before its end.
  equal(filesOf('half').sort(), state === 'failure' ? [] : ['half.img', 'half.img.full.sum', 'half.img.json'])
  await pollUntil(() => readdirSync(lab.image('.fleet-host')).every(file => !file.startsWith('received-')))
})

test.run()

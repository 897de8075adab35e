// A virtual computer in a live system: its disk is partitioned, and an image is made and restored, by all real programs.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { serverAddress, startCopyLab } from '../harness/copy-lab.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { skipFile } from '../harness/skip-file.ts'
import { canStartComputer, startSmallComputer } from '../harness/small-computer.ts'

export const runs = { seconds: 40 }

if (!canStartComputer()) skipFile('qemu')

const mebibyte = 1024 * 1024
/** As the daemon sees the computer. */
const addr = '127.0.0.1'
const folder = mkdtempSync(join(tmpdir(), 'computer-'))
const [master, empty] = [join(folder, 'master.img'), join(folder, 'empty.img')]

/** With a partition of 48 MiB, on which an installed system could be. */
function makeMaster(): void {
  const root = join(folder, 'root')
  mkdirSync(join(root, 'etc'), { recursive: true })
  writeFileSync(join(root, 'etc/os-release'), 'PRETTY_NAME="Debian 12"\n')
  writeFileSync(join(root, 'etc/hostname'), 'master\n')
  for (let file = 0; file < 200; file += 1)
    writeFileSync(join(root, `file-${file}`), `line ${file}\n`.repeat(file * 50))
  for (const disk of [master, empty]) writeFileSync(disk, '')
  for (const disk of [master, empty]) truncateSync(disk, 128 * mebibyte)
  execFileSync('sfdisk', ['--quiet', master], { input: 'label: gpt\n2048,48M,L\n' })
  execFileSync('mkfs.ext4', ['-q', '-F', '-E', `offset=${mebibyte}`, '-d', root, master, '48M'])
}

makeMaster()
const lab = await startCopyLab()
const jobs = followJobs(lab)
await lab.addComputer(addr)
const computer = await startSmallComputer(lab.host.ports.agents, [master, empty])

const test = suite('a computer in a live system')
test.after(async () => {
  await computer.stop()
  await lab.stop()
  rmSync(folder, { recursive: true })
})

/** Resolves to how the part of the only client has ended, and what it has printed. */
async function run(route: string, payload: object) {
  const response = await lab.call(route, { clients: [addr], ...payload })
  is(response.status, 200, String(response.headers['x-reason']))
  await jobs.finished(jobIdOf(response))
  const [part] = await jobs.parts(jobIdOf(response), `?client=${addr}`)
  return [part?.state, part?.reason ?? part?.output ?? '']
}

const shell = async (script: string) => (await run('POST /shell/run', { run: script, echo: true }))[1]
const place = { partition: '1', name: 'debian', repository: serverAddress, id: '0' }
const restore = () => run('POST /image/restore', { ...place, disk: '2', type: 'UNICAST', profile: '0' })

test('it starts, its agent connects, and its disks are reported', async () => {
  await computer.whileOn(lab.event('client-ready', { addr }))
  is((await lab.call('GET /clients')).json.clients[0].state, 'OPG')
  const { sessions } = (await lab.call('GET /session', { client: [addr] })).json
  equal(sessions, [{ disk: 1, partition: 1, name: 'Debian 12' }])
})

test('an empty disk is partitioned, and has a file system', async () => {
  const none = { code: 'EMPTY', filesystem: 'EMPTY', size: 0, format: 0 }
  const linux = { partition: 1, code: 'LINUX', filesystem: 'EXT4', size: 96 * 1024, format: 1 }
  const partition_setup = [linux, ...[2, 3, 4].map(partition => ({ partition, ...none }))]
  const payload = { type: 'GPT', disk: '2', cache: '0', cache_size: '0', partition_setup }
  equal(await run('POST /setup', payload), ['success', ''])
  is(await shell('blkid -p -o value -s TYPE /dev/vdb1'), 'ext4\n')
})

test('an image of its first disk is restored to the second one: all files are there, with the name of the record', async () => {
  equal(await run('POST /image/create', { ...place, disk: '1', code: '131', description: 'Debian' }), ['success', ''])
  equal(await restore(), ['success', ''])
  const list = (device: string) =>
    shell(`mount -o ro ${device} /mnt && cd /mnt && find . -type f | sort | xargs sha256sum; cd /; umount /mnt`)
  const [files, restored] = [await list('/dev/vda1'), await list('/dev/vdb1')]
  const differences = files?.split('\n').filter(line => !restored?.includes(line))
  equal(
    differences?.map(line => line.split('  ')[1]),
    ['./etc/hostname'],
  )
  const size = "dumpe2fs -h /dev/vdb1 2> /dev/null | sed -n 's/^Block count: *//p; s/^Block size: *//p' | xargs"
  const name = 'mount -o ro /dev/vdb1 /mnt; cat /mnt/etc/hostname; umount /mnt'
  is(await shell(`${name}; ${size}`), `pc-${addr}\n98304 1024\n`)
})

test('an image that was damaged in the repository is a failure, after which there is no file system', async () => {
  const bytes = readFileSync(lab.image('debian.img'))
  bytes.writeUInt8(bytes.readUInt8(2000) ^ 1, 2000)
  writeFileSync(lab.image('debian.img'), bytes)
  const [state, reason = ''] = await restore()
  is(state, 'failure')
  match(reason, /zstd: |partclone.restore: |the image is damaged: /)
  is(await shell('blkid -p -o value -s TYPE /dev/vdb1'), '')
})

test('it powers off', async () => {
  await run('POST /poweroff', {})
  await computer.ended
})

test.run()

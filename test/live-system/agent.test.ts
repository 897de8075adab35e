// The agent in a live system: what it reports of the disks, which it does not mount.
import { readFileSync, rmSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match, throws } from 'uvu/assert'
import { endPrograms } from '../harness/daemon-process.ts'
import { startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { pollUntil } from '../harness/poll.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const fixture = createLinuxFixture()
const addr = '127.0.43.1'

const part = (kname: string, fstype: string | null) => {
  return { kname, type: 'part', size: 1_048_576, rm: false, fstype, mountpoint: null, parttype: '0x83', pttype: 'dos' }
}
const children = [part('sda1', 'ext4'), part('sda2', 'ntfs'), part('sda3', 'ext4'), part('sda4', null)]
const disk = { ...part('sda', null), type: 'disk', size: 8_388_608 }
fixture.program('lsblk', JSON.stringify({ blockdevices: [{ ...disk, children }] }))
// The third one is damaged.
fixture.program(
  'dumpe2fs',
  '#!/bin/sh\n[ $2 = /dev/sda1 ] && printf "Block count:              200\\nFree blocks:              150\\n"\n',
)
fixture.program(
  'debugfs',
  `#!/bin/sh
[ $3 = /dev/sda1 ] || exit 1
[ "$2" = 'cat /usr/lib/os-release' ] && echo 'PRETTY_NAME="Ubuntu 24.04.3 LTS"'
exit 0
`,
)
fixture.program('ntfsinfo', '	Volume Size in Clusters: 16383\n	Allocated clusters 7\n	Free Clusters: 4096 (25.0%)')
fixture.program('ntfsls', 'SYSTEM')

/** Has partition 2, and records what it is asked. */
const sfdisk = `#!/bin/sh
if [ $1 = --dump ]; then
  echo 'label: gpt'
  echo 'label-id: 90EC9F35'
  exec echo '/dev/sda2 : start= 4096, size= 2048, type=0FC63DAF, uuid=781B9552, name="Basic, data", attrs="GUID:62"'
fi
(echo "$@"; cat) >> ${fixture.record('written')}
`

await lab.addComputer(addr)
const agent = startLinuxAgent({ port: lab.host.ports.agents, addr, fixture, more: { live: 'yes' } })
await agent.waitFor(/reply 200 to GET \/refresh/)
await pollUntil(async () => (await setup()).length > 0)

async function setup(): Promise<Record<string, number>[]> {
  return (await lab.call('GET /client/setup', { client: [addr] })).json.partitions
}

const test = suite('agent in a live system')

test.after(async () => {
  await endPrograms()
  await lab.stop()
  fixture.remove()
})

test('a computer in it is in state OPG', async () => {
  is((await lab.call('GET /clients')).json.clients[0].state, 'OPG')
})

test('partitions have the systems that are on them and the space in use, without being mounted', async () => {
  const rows = (await setup()).map(({ partition, used_size }) => [partition, used_size])
  equal(rows, [
    [0, 0],
    [1, 25],
    [2, 75],
    [3, 0],
    [4, 0],
  ])
  const { sessions } = (await lab.call('GET /session', { client: [addr] })).json
  equal(sessions, [
    { disk: 1, partition: 1, name: 'Ubuntu 24.04.3 LTS' },
    { disk: 1, partition: 2, name: 'Windows' },
  ])
})

const slot = (partition: number, code: string, size: number, filesystem = code, format = 1) => {
  return { partition, code, filesystem, size, format }
}
const empty = [1, 2, 3, 4].map(partition => slot(partition, 'EMPTY', 0))

/** Resolves to the end of the command. */
async function setUp(slots: ReturnType<typeof slot>[], more: object = {}) {
  const ended = lab.event('command-ended', { addr })
  const partition_setup = empty.map(each => slots.find(({ partition }) => partition === each.partition) ?? each)
  const payload = { type: 'GPT', disk: '1', cache: '0', cache_size: '0', partition_setup, ...more }
  equal((await lab.call('POST /setup', { clients: [addr], ...payload })).status, 200)
  return await ended
}

const written = () => readFileSync(fixture.record('written'), 'utf8').replaceAll('\n', ' | ')

test('a disk is partitioned and its file systems are made, and what is kept stays where it is', async () => {
  for (const name of ['mkfs.ext4', 'mkfs.vfat', 'udevadm'])
    fixture.program(name, `#!/bin/sh\necho ${name} "$@" >> ${fixture.record('written')}\n`)
  fixture.program('sfdisk', sfdisk)
  const slots = [slot(1, 'EFI', 512, 'FAT32'), slot(2, 'LINUX', 1024, 'EXT4', 0), slot(3, 'CACHE', 2048)]
  equal((await setUp(slots)).result, 'success')
  const linux = '0FC63DAF-8483-4772-8E79-3D69D8477DE4'
  const input = [
    'label: gpt',
    'label-id: 90EC9F35',
    '1 : start=2048, size=1024, type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B',
    `2 : start=4096, size=2048, type=${linux}, uuid=781B9552, name="Basic, data", attrs="GUID:62"`,
    `3 : start=6144, size=4096, type=${linux}`,
  ].join(' | ')
  is(
    written(),
    `--no-act /dev/sda | ${input} | --wipe always --wipe-partitions never /dev/sda | ${input} | ` +
      'udevadm settle --timeout=30 | mkfs.vfat -F 32 /dev/sda1 | mkfs.ext4 -q -F -L CACHE /dev/sda3 | ' +
      'udevadm settle --timeout=30 | ',
  )
})

test('a layout that is wrong or does not fit is refused with the reason, and writes nothing', async () => {
  rmSync(fixture.record('written'))
  const rows: [slots: ReturnType<typeof slot>[], reason: string, more?: object][] = [
    [[slot(1, 'LINUX', 8000, 'EXT4')], 'partition 1: expected 8000 KiB that are free, got less'],
    [[slot(1, 'LINUX', 1024, 'EXT4', 0)], 'partition 1: expected one to keep, got none'],
    [
      [slot(2, 'LINUX', 1024, 'EXT4', 0)],
      'type: expected that of the disk, as partitions are kept, got MSDOS',
      { type: 'MSDOS' },
    ],
    [[slot(2, 'LINUX', 1025, 'EXT4', 0)], 'partition 2: expected its 1024 KiB, as it is kept, got 1025'],
    [[slot(1, 'LINUX', 1024, 'ZFS')], 'filesystem: expected EXT4, NTFS, FAT32, LINUX-SWAP, CACHE, EMPTY, got ZFS'],
    [[slot(1, 'BSD', 1024)], 'code: expected EMPTY, LINUX, NTFS, FAT32, EFI, LINUX-SWAP, CACHE, got BSD'],
    [[slot(1, 'LINUX', 0, 'EXT4')], 'size: expected a number from 1, got "0"'],
    [[slot(4, 'LINUX', 9, 'EXT4')], 'expected partition 4 once, got it twice', { cache: '1', cache_size: '9' }],
    [[], 'type: expected MSDOS or GPT, got BSD', { type: 'BSD' }],
  ]
  for (const [slots, reason, more] of rows) {
    const ended = await setUp(slots, more)
    is(ended.result, 'failure', reason)
    match(String(ended.reason), reason)
  }
  throws(() => written(), 'ENOENT')
})

test('what sfdisk does not take, and a disk in use, are failures with the reason', async () => {
  fixture.program(
    'sfdisk',
    '#!/bin/sh\n[ $1 = --dump ] && exit 1\ncat >/dev/null; echo no; echo "/dev/sda: no such disk" >&2; exit 1\n',
  )
  match(String((await setUp([])).reason), 'sfdisk: /dev/sda: no such disk')
  fixture.program('lsblk', JSON.stringify({ blockdevices: [{ ...disk, mountpoint: '/mnt' }] }))
  match(String((await setUp([])).reason), 'disk 1: expected none that is in use, got /mnt')
  fixture.program('lsblk', JSON.stringify({ blockdevices: [{ ...disk, 'log-sec': 4096 }] }))
  match(String((await setUp([])).reason), 'disk 1: expected sectors of 512 bytes, got 4096: not supported')
  // Somebody's, plugged in.
  fixture.program('lsblk', JSON.stringify({ blockdevices: [{ ...disk, tran: 'usb' }] }))
  match(String((await setUp([])).reason), 'disk: expected one of this computer, got 1')
})

test('the packages of the live system are not listed as those of the computer', async () => {
  const ended = lab.event('command-ended', { addr })
  await lab.call('POST /software', { clients: [addr], disk: '1', partition: '1' })
  is((await ended).result, 'failure')
})

test.run()

// The agent in a live system: what it reports of the disks, which it does not mount.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
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

test('images are refused with the reason', async () => {
  const ended = lab.event('command-ended', { addr })
  const image = { name: 'x', repository: '127.0.0.1', type: 'UNICAST', profile: '0', id: '0' }
  await lab.call('POST /image/restore', { clients: [addr], disk: '1', partition: '1', ...image })
  match(String((await ended).reason), 'this live system makes and restores no images')
})

test('the packages of the live system are not listed as those of the computer', async () => {
  const ended = lab.event('command-ended', { addr })
  await lab.call('POST /software', { clients: [addr], disk: '1', partition: '1' })
  is((await ended).result, 'failure')
})

test.run()

// What the agent for Linux reports of its computer, and what the daemon stores of it.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { endPrograms } from '../harness/daemon-process.ts'
import { startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { pollUntil } from '../harness/poll.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const fixture = createLinuxFixture()
const { agents: port } = lab.host.ports
const addr = '127.0.42.1'
await lab.addComputer(addr)
const agent = startLinuxAgent({ port, addr, fixture })
await agent.waitFor(/reply 200 to GET \/refresh/)
await pollUntil(async () => (await partitions()).length > 0)

async function partitions(client = addr): Promise<Record<string, number>[]> {
  return (await lab.call('GET /client/setup', { client: [client] })).json.partitions
}

async function run(route: string, payload: object = {}, client = addr) {
  const ended = lab.event('command-ended', { addr: client })
  await lab.call(route, { clients: [client], ...payload })
  const { result, reason } = await ended
  return reason === undefined ? result : `${result}: ${reason}`
}

const hardware = async () => {
  is(await run('POST /hardware'), 'success')
  const { hardware: items } = (await lab.call('GET /hardware', { client: [addr] })).json
  return items.map(({ type, description }: Record<string, string>) => `${type}: ${description}`)
}

const test = suite('inventory of the agent for Linux')
test.after(async () => {
  await endPrograms()
  await lab.stop()
  fixture.remove()
})

test('disks and partitions come from lsblk, with the space that df shows; removable and unreal disks are left out', async () => {
  const rows = (await partitions()).map(({ disk, partition, code, size, used_size, filesystem }) => {
    return [disk, partition, code?.toString(16), size, used_size, filesystem]
  })
  const [fat32, newName] = [9, rows[2]?.[5]]
  equal(rows, [
    [1, 0, '2', 488386584, 0, 0],
    [1, 1, 'ef00', 524288, 2, fat32],
    [1, 2, '8300', 104857600, 25, newName],
    [2, 0, '0', 976762584, 0, 0],
    [2, 1, '0', 976762584, 50, 17],
  ])
})

test('the partition that has / has the name of the system, also inside an encrypted volume', async () => {
  const { sessions } = (await lab.call('GET /session', { client: [addr] })).json
  equal(sessions, [{ disk: 1, partition: 2, name: 'Debian GNU/Linux 12 (bookworm)' }])
})

test('the serial number and the speed of the link are stored', async () => {
  is((await lab.call('GET /client/info', { client: [addr] })).json.serial_number, 'SN0042')
  const { clients } = (await lab.call('GET /clients')).json
  is(clients[0].speed, 2500)
})

test('programs come from dpkg, the removed ones are left out', async () => {
  is(await run('POST /software', { disk: '1', partition: '2' }), 'success')
  const { software } = (await lab.call('GET /software', { client: [addr], disk: 1, partition: 2 })).json
  equal(software, ['apt 2.6.1', 'bash 5.2.15'])
})

test('the programs of another partition are not known: 400', async () => {
  is(await run('POST /software', { disk: '1', partition: '1' }), 'failure: agent replied 400')
})

test('without dpkg programs come from rpm, and without both the inventory is a failure', async () => {
  fixture.program('dpkg-query', '#!/bin/sh\nexit 127\n')
  fixture.program('rpm', 'zlib 1.2.13-3.fc39\nbash 5.2.21-2.fc39')
  is(await run('POST /software', { disk: '1', partition: '2' }), 'success')
  const { software } = (await lab.call('GET /software', { client: [addr], disk: 1, partition: 2 })).json
  equal(software, ['bash 5.2.21-2.fc39', 'zlib 1.2.13-3.fc39'])
  fixture.program('rpm', '#!/bin/sh\nexit 127\n')
  is(await run('POST /software', { disk: '1', partition: '2' }), 'failure: agent replied 500')
  await agent.waitFor(/software: expected dpkg-query or rpm, got neither/)
})

test('a list of programs that is too long for a message is cut', async () => {
  const names = Array.from({ length: 5000 }, (_, index) => `package-with-a-long-name-${10_000 + index} 1.0`)
  fixture.program('dpkg-query', names.map(name => `ii  ${name}`).join('\n'))
  is(await run('POST /software', { disk: '1', partition: '2' }), 'success')
  const { software } = (await lab.call('GET /software', { client: [addr], disk: 1, partition: 2 })).json
  ok(software.length > 3000)
  equal(software, names.slice(0, software.length))
})

test('hardware comes from /sys and /proc', async () => {
  fixture.file('sys/class/dmi/id/sys_vendor', 'Dell Inc.\n')
  fixture.file('sys/class/dmi/id/product_name', 'OptiPlex 7090\n')
  fixture.file('sys/class/dmi/id/bios_version', '1.18.1\n')
  fixture.file('proc/cpuinfo', 'processor : 0\nmodel name : Core i5\n\nprocessor : 1\nmodel name : Core i5\n')
  fixture.file('proc/meminfo', 'MemTotal:       16777216 kB\nMemFree: 1 kB\n')
  fixture.file('sys/block/sda/device/model', 'KIOXIA KBG40\n')
  fixture.file('sys/block/sda/size', '976773168\n')
  for (const [address, type, vendor, device] of [
    ['0000:00:02.0', '0x030000', '0x8086', '0x9bc5'],
    ['0000:00:1f.6', '0x020000', '0x8086', '0x15f9'],
    ['0000:00:1f.0', '0x060100', '0x8086', '0x4387'],
  ] as const) {
    for (const [name, text] of Object.entries({ class: type, vendor, device }))
      fixture.file(`sys/bus/pci/devices/${address}/${name}`, text)
  }
  fixture.file(
    'usr/share/misc/pci.ids',
    '# ids\n8085  Other\n8086  Intel Corporation\n\t15f9  I219-LM\n\t\t1 2  x\n8087  B\n',
  )
  equal(await hardware(), [
    'computer model: Dell Inc. OptiPlex 7090',
    'BIOS: 1.18.1',
    'processor: Core i5, 2 threads',
    'memory: 16.0 GiB',
    'disk: KIOXIA KBG40 500 GB',
    'graphics card: Intel Corporation 9bc5',
    'network card: Intel Corporation I219-LM',
    'boot firmware: BIOS',
  ])
})

test('where dmidecode may run it lists the memory modules', async () => {
  const slot = (size: string) =>
    `Handle\nMemory Device\n\tSize: ${size}\n\tType: DDR4\n\tSpeed: 3200 MT/s\n\tManufacturer: Unknown`
  fixture.program('dmidecode', [slot('8 GB'), slot('No Module Installed'), slot('8 GB')].join('\n\n'))
  const memory = (await hardware()).filter((line: string) => line.startsWith('memory'))
  equal(memory, ['memory: DDR4 8 GB 3200 MT/s', 'memory: DDR4 8 GB 3200 MT/s'])
})

test('without lsblk the status is still reported, and the stored disks stay', async () => {
  const before = await partitions()
  fixture.program('lsblk', '#!/bin/sh\necho "lsblk: no permission" >&2; exit 1\n')
  is(await run('POST /refresh'), 'success')
  await agent.waitFor(/disks are not reported: lsblk: lsblk: no permission/)
  equal(await partitions(), before)
})

test('with the option disks=no a refresh has no disks', async () => {
  const other = '127.0.42.2'
  await lab.addComputer(other)
  const program = startLinuxAgent({ port, addr: other, fixture, more: { disks: 'no' } })
  await program.waitFor(/reply 200 to GET \/refresh/)
  is(await run('POST /refresh', {}, other), 'success')
  equal(await partitions(other), [])
  match(program.output(), /connected/)
})

test.run()

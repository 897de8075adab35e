// What the agent for Windows reads from the programs of Windows 10 and 11. The outputs are written after the
// documentation of reg and the CIM classes, not recorded on a computer.
import { suite } from 'uvu'
import { equal, is, throws } from 'uvu/assert'
import { mergeOptions } from '../../host/windows-agent/program/installed-options.ts'
import { toDiskLists } from '../../host/windows-agent/program/windows-disks.ts'
import { toHardware } from '../../host/windows-agent/program/windows-hardware.ts'
import { toSoftware } from '../../host/windows-agent/program/windows-software.ts'
import { toFacts, wordOf } from '../../host/windows-agent/program/windows-system.ts'

const gib = 2 ** 30
const lines = (...texts: string[]) => `${texts.join('\r\n')}\r\n`
const volume = (number: number) => `\\\\?\\Volume{0000000${number}-0000-0000-0000-100000000000}\\`

const partition = (PartitionNumber: number, size: number, more: object) => ({
  ...{ DiskNumber: 0, PartitionNumber, Size: size * gib, GptType: null, MbrType: null, IsBoot: false },
  ...{ AccessPaths: [volume(PartitionNumber)] },
  ...more,
})

const test = suite('outputs of programs of Windows')

test('disks and partitions have codes, systems and used space; the reserved partition has no volume', () => {
  const basic = { GptType: '{ebd0a0a2-b9e5-4433-87c0-68b6b72699c7}' }
  const lists = toDiskLists(
    {
      disks: [
        { Number: 4, Size: 16 * gib, PartitionStyle: 1, BusType: 7 },
        { Number: 5, Size: 0, PartitionStyle: 0, BusType: 11 },
        { Number: 0, Size: 256 * gib, PartitionStyle: 2, BusType: 17 },
        { Number: 2, Size: 1024 * gib, PartitionStyle: 1 },
        { Number: 3, Size: 64 * gib, PartitionStyle: 0 },
      ],
      partitions: [
        partition(3, 200, { ...basic, IsBoot: true, AccessPaths: { value: ['C:\\', volume(3)], Count: 2 } }),
        partition(1, 1, { GptType: '{C12A7328-F81F-11D2-BA4B-00A0C93EC93B}' }),
        partition(2, 0.015_625, { GptType: '{e3c9e316-0b5c-4db8-817d-f92df00215ae}', AccessPaths: null }),
        partition(4, 1, { GptType: '{de94bba4-06d1-4d40-a16a-bfd50179d6ac}' }),
        { ...partition(1, 1024, { MbrType: 7 }), DiskNumber: 2, AccessPaths: ['D:\\', volume(9)] },
      ],
      volumes: [
        { DeviceID: volume(3), FileSystem: 'NTFS', Capacity: 200 * gib, FreeSpace: 99 * gib },
        { DeviceID: volume(1).toUpperCase(), FileSystem: 'FAT32', Capacity: gib, FreeSpace: gib },
        // Locked by BitLocker.
        { DeviceID: volume(9), FileSystem: null, Capacity: null, FreeSpace: null },
      ],
    },
    'Windows 11 Pro',
  )
  equal(
    lists.disk_setup.map(({ disk, code, size }) => [disk, code, size]),
    [
      ['1', '2', '268435456'],
      ['2', '1', '1073741824'],
      ['3', '0', '67108864'],
    ],
  )
  equal(
    lists.partition_setup.map(row => Object.values(row).join()),
    [
      '1,1,EF00,FAT32,,1048576,0',
      '1,2,C01,EMPTY,,16384,0',
      '1,3,700,NTFS,Windows 11 Pro,209715200,51',
      '1,4,2700,EMPTY,,1048576,0',
      '2,1,7,EMPTY,,1073741824,0',
    ],
  )
})

test('an answer without disks has none', () => {
  for (const answer of [undefined, null, {}, { disks: null, partitions: 'x' }, { disks: [], partitions: [] }])
    equal(toDiskLists(answer, 'Windows 10 Pro'), { disk_setup: [], partition_setup: [] })
})

test('hardware has a line for each part, without adapters of the system itself', () => {
  const none = { Manufacturer: null, Product: 'X570', Version: '' }
  const answer = {
    mod: [{ Manufacturer: 'Müller GmbH', Model: 'Büro 5 ' }],
    boa: [none],
    mem: [
      { Manufacturer: 'Samsung', Capacity: 17_179_869_184, Speed: 3200 },
      { Manufacturer: '', Capacity: '8589934592', Speed: null },
    ],
    dis: [{ Model: 'SSD 970', Size: 512_110_190_592 }],
    net: [
      { Name: 'Intel I219-V', PNPDeviceID: 'PCI\\VEN_8086' },
      { Name: 'WAN Miniport (IP)', PNPDeviceID: 'SWD\\MSRRAS\\MS_NDISWANIP' },
      { Name: 'Kernel Debug', PNPDeviceID: null },
    ],
  }
  is(
    toHardware(answer, 'Legacy'),
    'mod=Müller GmbH Büro 5\nboa=X570\nmem=Samsung 16 GiB 3200 MT/s\nmem=8 GiB\ndis=SSD 970 512 GB\n' +
      'net=Intel I219-V\nboo=BIOS',
  )
  is(toHardware({}, 'UEFI'), 'boo=UEFI')
  is(toHardware(undefined, ''), '')
})

test('software has each program once with its version, without updates and parts of others', () => {
  const key = (name: string, ...values: string[]) =>
    lines('', `HKEY_LOCAL_MACHINE\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${name}`, ...values)
  const value = (name: string, text: string, type = 'REG_SZ') => `    ${name}    ${type}    ${text}`
  const text = [
    key('{1}', value('DisplayName', 'Zusatzprüfung für Büro'), value('DisplayVersion', '2.0.1')),
    key(
      'Git_is1',
      value('DisplayName', 'Git'),
      value('DisplayVersion', '2.47.0'),
      value('NoRepair', '0x1', 'REG_DWORD'),
    ),
    key('Git again', value('DisplayName', 'Git'), value('DisplayVersion', '2.47.0')),
    key('AddressBook'),
    key('Empty', value('DisplayName', '')),
    key('Driver', value('DisplayName', 'Driver'), value('SystemComponent', '0x1', 'REG_DWORD')),
    key('KB1', value('DisplayName', 'Update KB1'), value('ParentKeyName', 'Git_is1')),
    key('Plain', value('DisplayName', 'No version')),
  ].join('')
  is(toSoftware(text, 'Windows 10 Pro'), 'Windows 10 Pro\nGit 2.47.0\nNo version\nZusatzprüfung für Büro 2.0.1')
  is(toSoftware('', 'Windows 10 Pro'), 'Windows 10 Pro')
})

test('texts of manufacturers are no serial number, and an adapter that searches has no speed', () => {
  const adapters = [
    { NetConnectionID: 'Ethernet', NetEnabled: true, Speed: 1_000_000_000 },
    { NetConnectionID: 'WLAN', NetEnabled: true, Speed: '9223372036854775807' },
    { NetConnectionID: 'Ethernet 2', NetEnabled: true, Speed: null },
    { NetConnectionID: 'Ethernet 3', NetEnabled: false, Speed: 100_000_000 },
    { NetConnectionID: null, NetEnabled: null, Speed: 100_000_000 },
  ]
  equal(toFacts({ bios: [{ SerialNumber: ' 5CG1234XYZ ' }], adapters }), {
    serial: '5CG1234XYZ',
    speeds: new Map([['Ethernet', 1000]]),
  })
  for (const serial of ['To be filled by O.E.M.', '', null, 'Default string', '0000'])
    is(toFacts({ bios: [{ SerialNumber: serial }] }).serial, '')
})

test('the status has the version of Windows', () => {
  equal(['10.0.19045', '10.0.22000', '10.0.26100', '6.3.9600'].map(wordOf), ['WIN10', 'WIN11', 'WIN11', 'WIN6'])
})

const installation = {
  ...{ server: '', port: '', defaultServer: 'fleet', defaultPort: '8889', defaultUrl: 'https://fleet' },
}

test('an installation keeps options, and an address for updates belongs to its server', () => {
  const merge = (text: string, more: object = {}) => mergeOptions(text, { ...installation, ...more })
  equal(merge('{}'), { server: 'fleet', port: 8889, url: 'https://fleet' })
  const present = '{"server": "old", "port": 9000, "url": "https://old", "log-level": "debug"}'
  equal(merge(present), { server: 'old', port: 9000, url: 'https://old', 'log-level': 'debug' })
  equal(merge(present, { server: 'new', port: '1', defaultUrl: '' }), { server: 'new', port: 1, 'log-level': 'debug' })
  for (const [text, more] of [
    ['[]', {}],
    ['{', {}],
    ['{}', { port: '70000' }],
  ] as const)
    throws(() => merge(text, more), /^(options\.json|port): /)
})

test.run()

// What wmic prints where PowerShell cannot be used. The outputs are written after its documentation, not recorded on a
// computer.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { parseWmicValues } from '../../host/windows-agent/program/cim-query.ts'
import { diskQueries, toDiskLists } from '../../host/windows-agent/program/windows-disks.ts'
import { hardwareQueries, toHardware } from '../../host/windows-agent/program/windows-hardware.ts'
import { decodeOutput } from '../../host/windows-agent/program/windows-programs.ts'
import { toFacts } from '../../host/windows-agent/program/windows-system.ts'

const gib = 2 ** 30

/** Two blank lines before each object, three after the last one, and a line for each property in the order of names. */
const print = (...objects: object[]): string =>
  `${objects
    .map(object => {
      const lines = Object.entries(object).map(([name, value]) => `${name}=${value}`)
      return ['', '', ...lines.sort()].join('\r\r\n')
    })
    .join('\r\r\n')}${'\r\r\n'.repeat(4)}`

const diskProperties = diskQueries.disks.properties
const partitionProperties = diskQueries.partitions.properties
const volumeProperties = diskQueries.volumes.properties

const test = suite('outputs of wmic')

test('objects have their properties: empty ones are null, words of truth are booleans, lists are lists', () => {
  const text = print(
    { Name: 'Büro=Gerät', Speed: '', IsBoot: 'TRUE', AccessPaths: '{"C:\\","\\\\?\\Volume{1}\\"}' },
    { Name: '', Speed: '1000', IsBoot: 'FALSE', AccessPaths: '' },
  )
  equal(parseWmicValues(text, ['Name', 'Speed', 'IsBoot', 'AccessPaths']), [
    { AccessPaths: ['C:\\', '\\\\?\\Volume{1}\\'], IsBoot: true, Name: 'Büro=Gerät', Speed: null },
    { AccessPaths: null, IsBoot: false, Name: null, Speed: '1000' },
  ])
})

test('the ends of lines may be those of Windows, of wmic or of Unix, and other lines are ignored', () => {
  for (const end of ['\r\r\n', '\r\n', '\n'])
    equal(parseWmicValues(['', 'A=1', 'x', 'B=2', 'C=3', '', '', 'A=4', ''].join(end), ['A', 'B']), [
      { A: '1', B: '2' },
      { A: '4' },
    ])
  for (const text of ['', '\r\r\n', 'No Instance(s) Available.\r\n', 'Keine Instanzen verfügbar.\r\n', '=1\r\n'])
    equal(parseWmicValues(text, ['A']), [], text)
})

test('its output is UTF-16 with a mark, or UTF-8', () => {
  const text = print({ Manufacturer: 'Müller' })
  for (const bytes of [Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from(`\ufeff${text}`), Buffer.from(text)])
    is(decodeOutput(bytes), text)
  is(decodeOutput(Buffer.alloc(0)), '')
})

const basic = '{ebd0a0a2-b9e5-4433-87c0-68b6b72699c7}'
const volume = (number: number) => `\\\\?\\Volume{0000000${number}-0000-0000-0000-100000000000}\\`
/** Some versions print backslashes twice. */
const twice = (path: string) => path.replaceAll('\\', '\\\\')

for (const shown of [volume, (number: number) => twice(volume(number))]) {
  test(`two disks and their partitions are those that PowerShell shows, with paths as ${shown(1)}`, () => {
    const disks = print(
      { Number: 1, Size: 1024 * gib, PartitionStyle: 1, BusType: 11 },
      { Number: 2, Size: 16 * gib, PartitionStyle: 1, BusType: 7 },
      { Number: 0, Size: 256 * gib, PartitionStyle: 2, BusType: 17 },
    )
    const row = (DiskNumber: number, PartitionNumber: number, size: number, more: object) => ({
      DiskNumber,
      PartitionNumber,
      Size: size * gib,
      GptType: '',
      MbrType: '',
      IsBoot: 'FALSE',
      ...more,
    })
    const partitions = print(
      row(0, 2, 200, { GptType: basic, IsBoot: 'TRUE', AccessPaths: `{"C:\\","${shown(2)}"}` }),
      row(0, 1, 1, { GptType: '{c12a7328-f81f-11d2-ba4b-00a0c93ec93b}', AccessPaths: `{"${shown(1)}"}` }),
      row(1, 1, 1024, { MbrType: 7, AccessPaths: `{"D:\\","${shown(3)}"}` }),
    )
    const volumes = print(
      { DeviceID: volume(2), FileSystem: 'NTFS', Capacity: 200 * gib, FreeSpace: 99 * gib },
      { DeviceID: volume(1), FileSystem: 'FAT32', Capacity: gib, FreeSpace: gib },
      { DeviceID: volume(3), FileSystem: '', Capacity: '', FreeSpace: '' },
    )
    const lists = toDiskLists(
      {
        disks: parseWmicValues(disks, diskProperties),
        partitions: parseWmicValues(partitions, partitionProperties),
        volumes: parseWmicValues(volumes, volumeProperties),
      },
      'Windows 10 Pro',
    )
    equal(
      lists.disk_setup.map(({ disk, code, size }) => [disk, code, size].join()),
      ['1,2,268435456', '2,1,1073741824'],
    )
    equal(
      lists.partition_setup.map(each => Object.values(each).join()),
      ['1,1,EF00,FAT32,,1048576,0', '1,2,700,NTFS,Windows 10 Pro,209715200,51', '2,1,7,EMPTY,,1073741824,0'],
    )
  })
}

test('hardware, serial number and speed are those that PowerShell shows', () => {
  const read = (key: string, ...objects: object[]) => [
    key,
    parseWmicValues(print(...objects), hardwareQueries[key]?.properties ?? []),
  ]
  const answer = Object.fromEntries([
    read('mod', { Manufacturer: 'Müller GmbH', Model: 'Büro 5 ' }),
    read('boa', { Manufacturer: '', Product: 'X570', Version: '' }),
    read('mem', { Manufacturer: '', Capacity: 8 * gib, Speed: 3200 }, { Manufacturer: '', Capacity: gib, Speed: '' }),
    read('net', { Name: 'Intel I219-V', PNPDeviceID: 'PCI\\VEN_8086' }, { Name: 'WAN Miniport', PNPDeviceID: '' }),
  ])
  is(toHardware(answer, ''), 'mod=Müller GmbH Büro 5\nboa=X570\nmem=8 GiB 3200 MT/s\nmem=1 GiB\nnet=Intel I219-V')
  const bios = parseWmicValues(print({ SerialNumber: '0012345' }), ['SerialNumber'])
  const adapters = parseWmicValues(
    print(
      { NetConnectionID: 'Ethernet', NetEnabled: 'TRUE', Speed: '1000000000' },
      { NetConnectionID: '', NetEnabled: '', Speed: '' },
    ),
    ['NetConnectionID', 'NetEnabled', 'Speed'],
  )
  equal(toFacts({ bios, adapters }), { serial: '0012345', speeds: new Map([['Ethernet', 1000]]) })
})

test('names of classes and properties are words, as cmd.exe reads them', () => {
  for (const { className, properties, namespace = 'a' } of [
    ...Object.values(diskQueries),
    ...Object.values(hardwareQueries),
  ].map(each => ({ namespace: undefined, ...each })))
    match([className, ...properties, namespace].join(), /^[A-Za-z0-9_,/]+$/)
})

test.run()

// The rules for disks, hardware and software of computers.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addLab, createdImage, image, report, restoredImage, row, software } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

const ip = '10.0.0.1'
const zero = { code: 0, size: 0, used_size: 0, filesystem: 0, os: 0, image: 0, software: 0 }

function inventory(rule: Rule): void {
  rule('an unknown computer has empty lists, and writes to it change nothing', async store => {
    assert.equal(await store.inventory.partitions(ip), [])
    assert.equal(await store.inventory.sessions(ip), [])
    assert.equal(await store.inventory.hardware(ip), [])
    assert.equal(await store.inventory.software(ip, 1, 1), [])
    assert.is(await store.inventory.refresh(ip, report(row(1))), false)
    assert.is(await store.inventory.setHardware(ip, []), false)
    assert.is(await store.inventory.setSoftware(ip, 1, 1, software('Debian')), false)
    assert.is(await store.images.recordCreate(ip, createdImage(1, software('Debian'))), false)
    assert.is(await store.images.recordRestore(ip, restoredImage(1)), false)
    assert.equal(await store.inventory.partitions(ip), [])
  })

  rule('a refresh replaces all rows, and of repeated rows the last one is stored', async store => {
    await addLab(store, ip)
    assert.is(await store.inventory.refresh(ip, report(row(1), row(2), row(3))), true)
    assert.is(await store.inventory.refresh(ip, report(row(3), row(0), row(3, '', { size: 5 }))), true)
    const rows = await store.inventory.partitions(ip)
    assert.equal(
      rows.map(({ partition, size }) => ({ partition, size })),
      [
        { partition: 0, size: 1000 },
        { partition: 3, size: 5 },
      ],
    )
    await store.inventory.refresh(ip, report())
    assert.equal(await store.inventory.partitions(ip), [])
  })

  rule('what computers have in a partition is read by their addresses, with names', async store => {
    const others = ['10.0.0.2', '10.0.0.3', '10.0.0.4']
    await addLab(store, ip, ...others)
    await store.inventory.refresh(ip, report(row(1, 'Debian 12'), row(2, '', { filesystem: 'NTFS' })))
    await store.inventory.refresh('10.0.0.2', report(row(1, '', { filesystem: 'ZFS' })))
    await store.inventory.refresh('10.0.0.4', report(row(1, 'Debian 12')))
    const id = (await store.images.add(image('linux'))) ?? 0
    await store.images.recordCreate(ip, createdImage(id, software('Debian 12')))
    const contents = await store.inventory.contents([ip, '10.0.0.2', '10.0.0.3', '10.9.9.9'], 1, 1)
    assert.equal(
      contents.sort((a, b) => (a.ip < b.ip ? -1 : 1)),
      [
        { ip, system: 'Debian 12', filesystem: 'EXT4', image: id },
        { ip: '10.0.0.2', system: '', filesystem: 'ZFS', image: 0 },
      ],
    )
    assert.equal(await store.inventory.contents([ip], 1, 2), [{ ip, system: '', filesystem: 'NTFS', image: 0 }])
    assert.equal(await store.inventory.contents([], 1, 1), [])
  })

  rule('partitions are ordered by disk, then partition', async store => {
    await addLab(store, ip)
    const places = [
      { disk: 2, partition: 0 },
      { disk: 1, partition: 10 },
      { disk: 10, partition: 0 },
      { disk: 1, partition: 9 },
      { disk: 1, partition: 0 },
    ]
    await store.inventory.refresh(
      ip,
      report(...places.map(({ disk, partition }) => row(partition, 'Debian', { disk }))),
    )
    const sorted = ['1.0', '1.9', '1.10', '2.0', '10.0']
    const rows = await store.inventory.partitions(ip)
    assert.equal(
      rows.map(({ disk, partition }) => `${disk}.${partition}`),
      sorted,
    )
    const sessions = await store.inventory.sessions(ip)
    assert.equal(
      sessions.map(({ disk, partition }) => `${disk}.${partition}`),
      sorted,
    )
  })
}

function installedSystems(rule: Rule): void {
  rule('the sessions of a computer are its installed operating systems', async store => {
    await addLab(store, ip)
    await store.inventory.refresh(ip, report(row(0), row(1, 'Windows 10'), row(2), row(3, 'Debian 12')))
    assert.equal(await store.inventory.sessions(ip), [
      { disk: 1, partition: 1, name: 'Windows 10' },
      { disk: 1, partition: 3, name: 'Debian 12' },
    ])
  })

  rule('an operating system has the same id on all computers', async store => {
    await addLab(store, ip, '10.0.0.2')
    await store.inventory.refresh(ip, report(row(1, 'Windows 10'), row(2, 'Debian'), row(3, 'Debian')))
    await store.inventory.refresh('10.0.0.2', report(row(1, 'Debian'), row(2)))
    const os = async (at: string) => (await store.inventory.partitions(at)).map(({ os }) => os)
    const [windows, debian, again] = await os(ip)
    assert.is.not(windows, debian)
    assert.is(again, debian)
    assert.equal(await os('10.0.0.2'), [debian, 0])
  })

  rule('a serial number is stored only while the computer has none', async store => {
    await addLab(store, ip)
    const serial = async () => (await store.computers.find(ip))?.serial_number
    await store.inventory.refresh(ip, { rows: [], serial_number: '' })
    assert.is(await serial(), '')
    await store.inventory.refresh(ip, { rows: [], serial_number: 'A1' })
    await store.inventory.refresh(ip, { rows: [], serial_number: 'B2' })
    await store.inventory.refresh(ip, { rows: [], serial_number: '' })
    assert.is(await serial(), 'A1')
  })

  rule('an unchanged partition keeps its image and software, a changed one loses both', async store => {
    const harmless = { code: 7, used_size: 99 }
    const changes = [{ size: 1001 }, { filesystem: 'FAT12' }, { os: 'Debian 13' }]
    await addLab(store, ip)
    const id = (await store.images.add(image('linux'))) ?? 0
    for (const change of [harmless, ...changes]) {
      await store.inventory.refresh(ip, report(row(1, 'Debian 12')))
      await store.images.recordCreate(ip, createdImage(id, software('Debian 12', 'vim')))
      await store.inventory.refresh(ip, report(row(1, 'Debian 12', change)))
      const [after] = await store.inventory.partitions(ip)
      const isSame = change === harmless
      assert.is(after?.image, isSame ? id : 0)
      assert.is(after?.software !== 0, isSame)
      assert.equal(await store.inventory.software(ip, 1, 1), isSame ? ['vim'] : [])
    }
  })
}

function hardwareAndSoftware(rule: Rule): void {
  rule('hardware is read as it was set, with its sequence and repetitions', async store => {
    await addLab(store, ip)
    const items = ['b', 'a', 'b', ''].map((description, at) => ({ type: at < 3 ? 'memory' : 'disk', description }))
    assert.is(await store.inventory.setHardware(ip, items), true)
    assert.equal(await store.inventory.hardware(ip), items)
    await store.inventory.setHardware(ip, [])
    assert.equal(await store.inventory.hardware(ip), [])
  })

  rule('software is read as it was set, with its sequence and repetitions', async store => {
    await addLab(store, ip)
    const programs = ['z', 'a', 'z', '', ' b ']
    assert.is(await store.inventory.setSoftware(ip, 1, 2, software('Debian', ...programs)), true)
    assert.equal(await store.inventory.software(ip, 1, 2), programs)
    assert.equal(await store.inventory.software(ip, 1, 3), [])
    await store.inventory.setSoftware(ip, 1, 2, software('Debian'))
    assert.equal(await store.inventory.software(ip, 1, 2), [])
  })

  rule('setting the software of a partition without a row adds a row whose other values are zero', async store => {
    await addLab(store, ip)
    await store.inventory.refresh(ip, report(row(0), row(3)))
    await store.inventory.setSoftware(ip, 1, 2, software('Debian', 'vim'))
    const [, added, after] = await store.inventory.partitions(ip)
    assert.equal(added, { disk: 1, partition: 2, ...zero, software: added?.software })
    assert.is.not(added?.software, 0)
    assert.is(after?.partition, 3)
  })

  rule('setting the software changes nothing else of the partition', async store => {
    await addLab(store, ip)
    await store.inventory.refresh(ip, report(row(1, 'Debian 12')))
    const [before] = await store.inventory.partitions(ip)
    await store.inventory.setSoftware(ip, 1, 1, software('Debian 13', 'vim'))
    const [after] = await store.inventory.partitions(ip)
    assert.equal({ ...after, software: 0 }, before)
    assert.equal(await store.inventory.sessions(ip), [{ disk: 1, partition: 1, name: 'Debian 12' }])
  })
}

conformance({ inventory, installedSystems, hardwareAndSoftware })

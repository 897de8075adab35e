// The rules for computers and what is known of their disks, hardware and software.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addCenter, addLab, addRoom, computer, image, made, report, row, software } from './samples.ts'

export function computers(rule: Rule): void {
  rule('a computer is found by its address, with its center', async store => {
    const center = await addCenter(store)
    const given = computer(await addRoom(store, center), '10.0.0.1', { name: 'pc', remote: true, maintenance: true })
    assert.equal(await store.computers.add([given]), [])
    const found = await store.computers.find('10.0.0.1')
    assert.type(found?.id, 'number')
    assert.equal(found, { id: found?.id, center, ...given })
    assert.is(await store.computers.find('10.0.0.2'), undefined)
  })

  rule('all of a list are stored or none, and every conflict is told', async store => {
    const lab = await addLab(store, '10.0.0.1')
    const conflicts = await store.computers.add([
      computer(lab, '10.0.0.2'),
      computer(lab, '10.0.0.1'),
      computer(99, '10.0.0.3'),
      computer(lab, '10.0.0.4', { repo_id: 99 }),
      computer(lab, '10.0.0.2'),
      computer(0, '10.0.0.5', { repo_id: 0 }),
    ])
    assert.equal(conflicts, [
      { index: 1, reason: 'address taken' },
      { index: 2, reason: 'unknown room' },
      { index: 3, reason: 'unknown repository' },
      { index: 4, reason: 'address taken' },
      { index: 5, reason: 'unknown room' },
      { index: 5, reason: 'unknown repository' },
    ])
    assert.is(await store.computers.find('10.0.0.2'), undefined)
    assert.is((await store.scopes())[0]?.scope[0]?.scope.length, 1)
  })

  rule('names need not be unique', async store => {
    const lab = await addLab(store)
    const two = [computer(lab, '10.0.0.1', { name: 'pc' }), computer(lab, '10.0.0.2', { name: 'pc' })]
    assert.equal(await store.computers.add(two), [])
  })

  rule('deleting tells which computers went and passes over unknown and repeated addresses', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2', '10.0.0.3')
    const gone = await store.computers.delete(['10.0.0.3', '10.9.9.9', '10.0.0.1', '10.0.0.3'])
    assert.equal(
      gone.map(({ ip, room }) => [ip, room]),
      [
        ['10.0.0.3', lab],
        ['10.0.0.1', lab],
      ],
    )
    assert.equal(await store.computers.delete(['10.0.0.3']), [])
    assert.ok(await store.computers.find('10.0.0.2'))
  })

  rule('a deleted address is free again and starts without inventory', async store => {
    const lab = await addLab(store, '10.0.0.1')
    await store.inventory.refresh('10.0.0.1', report(row(1, 'Debian')))
    await store.inventory.setHardware('10.0.0.1', [{ type: 'disk', description: 'a' }])
    await store.computers.delete(['10.0.0.1'])
    assert.equal(await store.inventory.partitions('10.0.0.1'), [])
    assert.equal(await store.computers.add([computer(lab, '10.0.0.1')]), [])
    assert.equal(await store.inventory.partitions('10.0.0.1'), [])
    assert.equal(await store.inventory.hardware('10.0.0.1'), [])
  })

  rule('what a reader changes, and what a writer changes later, does not reach the store', async store => {
    const lab = await addLab(store)
    const given = computer(lab, '10.0.0.1', { name: 'pc' })
    await store.computers.add([given])
    given.name = 'changed'
    assert.ok(Object.isFrozen(await store.computers.find('10.0.0.1')))
    await store.inventory.setHardware('10.0.0.1', [{ type: 'cpu', description: 'one' }])
    const items = await store.inventory.hardware('10.0.0.1')
    assert.ok(Object.isFrozen(items) && Object.isFrozen(items[0]))
    const tree = await store.scopes()
    assert.ok(Object.isFrozen(tree) && Object.isFrozen(tree[0]?.scope[0]?.scope))
    assert.is((await store.computers.find('10.0.0.1'))?.name, 'pc')
    assert.is((await store.scopes())[0]?.scope[0]?.scope.length, 1)
    const told = report(row(1))
    await store.inventory.refresh('10.0.0.1', told)
    for (const told of await store.inventory.partitions('10.0.0.1')) told.size = 5
    for (const row of told.rows) row.size = 6
    assert.is((await store.inventory.partitions('10.0.0.1'))[0]?.size, 1000)
  })

  rule('only the known keys of what is given are stored', async store => {
    const lab = await addLab(store)
    const given = { ...computer(lab, '10.0.0.1'), id: 77, center: 88, other: 1 }
    await store.computers.add([given])
    const found = await store.computers.find('10.0.0.1')
    assert.is.not(found?.id, 77)
    assert.is.not(found?.center, 88)
    assert.not.ok(found && 'other' in found)
  })
}

export function inventory(rule: Rule): void {
  const ip = '10.0.0.1'
  const zero = { code: 0, size: 0, used_size: 0, filesystem: 0, os: 0, image: 0, software: 0 }

  rule('an unknown computer has empty lists, and writes to it change nothing', async store => {
    assert.equal(await store.inventory.partitions(ip), [])
    assert.equal(await store.inventory.sessions(ip), [])
    assert.equal(await store.inventory.hardware(ip), [])
    assert.equal(await store.inventory.software(ip, 1, 1), [])
    assert.is(await store.inventory.refresh(ip, report(row(1))), false)
    assert.is(await store.inventory.setHardware(ip, []), false)
    assert.is(await store.inventory.setSoftware(ip, 1, 1, software('Debian')), false)
    assert.is(await store.images.recordCreate(ip, made(1, software('Debian'))), false)
    assert.is(await store.images.recordRestore(ip, 1, 1, 1), false)
    assert.equal(await store.inventory.partitions(ip), [])
  })

  rule('a refresh replaces the rows: absent ones go, a repeated one counts as last told', async store => {
    await addLab(store, ip)
    assert.is(await store.inventory.refresh(ip, report(row(1), row(2), row(3))), true)
    assert.is(await store.inventory.refresh(ip, report(row(3), row(0), row(3, '', { size: 5 }))), true)
    const rows = await store.inventory.partitions(ip)
    assert.equal(
      rows.map(({ partition, size }) => [partition, size]),
      [
        [0, 1000],
        [3, 5],
      ],
    )
    await store.inventory.refresh(ip, report())
    assert.equal(await store.inventory.partitions(ip), [])
  })

  rule('partitions are ordered by disk, then partition', async store => {
    await addLab(store, ip)
    const places = [
      [2, 0],
      [1, 10],
      [10, 0],
      [1, 9],
      [1, 0],
    ] as const
    await store.inventory.refresh(ip, report(...places.map(([disk, partition]) => row(partition, 'Debian', { disk }))))
    const inOrder = ['1.0', '1.9', '1.10', '2.0', '10.0']
    const rows = await store.inventory.partitions(ip)
    assert.equal(
      rows.map(({ disk, partition }) => `${disk}.${partition}`),
      inOrder,
    )
    const sessions = await store.inventory.sessions(ip)
    assert.equal(
      sessions.map(({ disk, partition }) => `${disk}.${partition}`),
      inOrder,
    )
  })

  rule('sessions are the installed operating systems', async store => {
    await addLab(store, ip)
    await store.inventory.refresh(ip, report(row(0), row(1, 'Windows 10'), row(2), row(3, 'Debian 12')))
    assert.equal(await store.inventory.sessions(ip), [
      { disk: 1, partition: 1, name: 'Windows 10' },
      { disk: 1, partition: 3, name: 'Debian 12' },
    ])
  })

  rule('one operating system has one id for all computers', async store => {
    await addLab(store, ip, '10.0.0.2')
    await store.inventory.refresh(ip, report(row(1, 'Windows 10'), row(2, 'Debian'), row(3, 'Debian')))
    await store.inventory.refresh('10.0.0.2', report(row(1, 'Debian'), row(2)))
    const os = async (at: string) => (await store.inventory.partitions(at)).map(({ os }) => os)
    const [windows, debian, again] = await os(ip)
    assert.is.not(windows, debian)
    assert.is(again, debian)
    assert.equal(await os('10.0.0.2'), [debian, 0])
  })

  rule('a serial number is stored only while none is known', async store => {
    await addLab(store, ip)
    const serial = async () => (await store.computers.find(ip))?.serial_number
    await store.inventory.refresh(ip, { rows: [], serial_number: '' })
    assert.is(await serial(), '')
    await store.inventory.refresh(ip, { rows: [], serial_number: 'A1' })
    await store.inventory.refresh(ip, { rows: [], serial_number: 'B2' })
    await store.inventory.refresh(ip, { rows: [], serial_number: '' })
    assert.is(await serial(), 'A1')
  })

  rule('an unchanged partition keeps image and software, a changed one loses both', async store => {
    const keeps = { code: 7, used_size: 99 }
    const changes = [{ size: 1001 }, { filesystem: 7 }, { os: 'Debian 13' }]
    await addLab(store, ip)
    const id = (await store.images.add(image('linux'))) ?? 0
    for (const change of [keeps, ...changes]) {
      await store.inventory.refresh(ip, report(row(1, 'Debian 12')))
      await store.images.recordCreate(ip, made(id, software('Debian 12', 'vim')))
      await store.inventory.refresh(ip, report(row(1, 'Debian 12', change)))
      const [after] = await store.inventory.partitions(ip)
      const kept = change === keeps
      assert.is(after?.image, kept ? id : 0)
      assert.is(after?.software !== 0, kept)
      assert.equal(await store.inventory.software(ip, 1, 1), kept ? ['vim'] : [])
    }
  })

  rule('hardware is read as it was set, in its order and with repetitions', async store => {
    await addLab(store, ip)
    const items = ['b', 'a', 'b', ''].map((description, at) => ({ type: at < 3 ? 'memory' : 'disk', description }))
    assert.is(await store.inventory.setHardware(ip, items), true)
    assert.equal(await store.inventory.hardware(ip), items)
    await store.inventory.setHardware(ip, [])
    assert.equal(await store.inventory.hardware(ip), [])
  })

  rule('software is read as it was set, in its order and with repetitions', async store => {
    await addLab(store, ip)
    const programs = ['z', 'a', 'z', '', ' b ']
    assert.is(await store.inventory.setSoftware(ip, 1, 2, software('Debian', ...programs)), true)
    assert.equal(await store.inventory.software(ip, 1, 2), programs)
    assert.equal(await store.inventory.software(ip, 1, 3), [])
    await store.inventory.setSoftware(ip, 1, 2, software('Debian'))
    assert.equal(await store.inventory.software(ip, 1, 2), [])
  })

  rule('software for a partition without a row makes one, zero but for its software', async store => {
    await addLab(store, ip)
    await store.inventory.refresh(ip, report(row(0), row(3)))
    await store.inventory.setSoftware(ip, 1, 2, software('Debian', 'vim'))
    const [, added, after] = await store.inventory.partitions(ip)
    assert.equal(added, { disk: 1, partition: 2, ...zero, software: added?.software })
    assert.is.not(added?.software, 0)
    assert.is(after?.partition, 3)
  })

  rule('software leaves the partition as it was otherwise', async store => {
    await addLab(store, ip)
    await store.inventory.refresh(ip, report(row(1, 'Debian 12')))
    const [before] = await store.inventory.partitions(ip)
    await store.inventory.setSoftware(ip, 1, 1, software('Debian 13', 'vim'))
    const [after] = await store.inventory.partitions(ip)
    assert.equal({ ...after, software: 0 }, before)
    assert.equal(await store.inventory.sessions(ip), [{ disk: 1, partition: 1, name: 'Debian 12' }])
  })
}

export function filesystems(rule: Rule): void {
  rule('filesystem names get 1, 2, … for good', async store => {
    assert.equal(await store.filesystems(['ZFS', 'BCACHEFS', 'ZFS']), [1, 2, 1])
    assert.equal(await store.filesystems([]), [])
    assert.equal(await store.filesystems(['APFS', 'BCACHEFS']), [3, 2])
    assert.equal(await store.filesystems(['zfs']), [4])
  })
}

// What the import of ogAdmBD stores of computers, images and inventories.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import type { Store } from '../../stores/store.ts'
import { hasMariadb } from '../harness/mariadb.ts'
import { skipFile } from '../harness/skip-file.ts'
import { computer, computerCount, computerDefects } from './fill-records.ts'
import { reasonsOf, startSourceSite } from './source-site.ts'

if (!hasMariadb) skipFile('mariadb')
const source = await startSourceSite()
const { withStore } = source
const report = await source.reportOf('first')

const test = suite('imported records')
test.after(() => source.stop())

test('computers keep their ids, values and seats', async () => {
  await withStore('first', async store => {
    const stored = new Map((await store.computers.list()).map(row => [row.id, row]))
    for (let id = 1; id <= computerCount; id += 1) {
      if (computerDefects.has(id)) continue
      const row = computer(id)
      equal(stored.get(id), {
        ...{ id, name: row.nombreordenador, ip: row.ip, mac: row.mac, room: row.idaula, netmask: row.mascara },
        ...{ boot: row.arranque, remote: row.inremotepc === 1, serial_number: row.numserie },
        ...{ hardware_id: row.idperfilhard, repo_id: row.idrepositorio, netiface: 'eth0', netdriver: 'generic' },
        ...{ livedir: 'ogLive', maintenance: false, place: { row: row.n_row, column: row.n_col } },
      })
    }
    const { name, comment } = { name: 'Física y Química', comment: 'ñandú' }
    equal((await store.scopes())[0]?.name, name)
    ok((await readAllOf(store, 'centers')).some(row => JSON.stringify(row).includes(comment)))
    equal(await store.rooms.find(3), {
      ...{ id: 3, center: 1, name: 'Aula 3', netmask: '255.255.255.0', location: 'planta baja' },
      ...{ gateway: '10.1.3.254', ntp: '10.0.0.123', dns: '10.0.0.53', group: 2, remote: false },
    })
  })
})

async function readAllOf(store: Store, collection: string): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const [name, row] of store.backup.dump()) if (name === collection) rows.push(row)
  return rows
}

test('computers with defects are left out, or lose the value, and are listed by id', async () => {
  const computers = (id: number) => reasonsOf(report, 'ordenadores', String(id))
  equal(computers(1), [])
  equal(computers(1981), ['row: ip: the same as that of ordenadores 1'])
  equal(computers(1982), ['row: idaula: it has none'])
  equal(computers(1983), ['row: idaula: there is no aulas 77, or it is left out'])
  equal(computers(1984), ['row: mac: expected 12 hex digits, got "00112233445"'])
  equal(computers(1985), ['row: name: expected a text of at least 1 character, got ""'])
  match(computers(1986)[0] ?? '', /^row: ip: expected four numbers .*, got "10\.1\.50"$/)
  equal(computers(1987), ['row: idaula: there is no aulas 51, or it is left out'])
  equal(computers(1988), ['row: mac: expected 12 hex digits, got ""'])
  equal(computers(1989), ['idrepositorio: there is no repositorios 3, or it is left out; it has repository 1'])
  equal(computers(1990), ['n_row, n_col: place.row: expected a number >= 1, got 0'])
  equal(computers(1991), ['n_row, n_col: place.row: expected a number <= 99, got 200'])
  equal(computers(1992), ['idperfilhard: there is no perfileshard 88, or it is left out'])
  equal(computers(1993), ['mac: the same as that of ordenadores 1; both are kept, but share their boot files'])
  match(computers(1994)[0] ?? '', /^mascara: netmask: expected an IPv4 netmask such as \S+, got "255\.255\.255\.1"/)
  equal(computers(1995), ['router: expected the router of its room, 10.1.50.254; got 10.9.9.9'])
  equal(computers(1996), [])
  equal(computers(1999), ['ip: it is kept without blanks', 'mac: it is kept without blanks'])
  match(reasonsOf(report, 'ordenadores_particiones', '2/1/3').join(), /uso: expected at most 100, got 140; it has 100/)
  equal(reasonsOf(report, 'tareas', '15'), [
    'restrambito: expected ids and commas, got 41;42',
    'row: restrambito: none of its computers is kept',
  ])
  equal(reasonsOf(report, 'ordenadores_particiones', '3000/1/1'), [
    'row: idordenador: there is no ordenadores 3000, or it is left out',
  ])
  equal(reasonsOf(report, 'ordenadores_particiones', '3/1/3'), ['codpar: expected a whole number from 0 on, got -1'])
  equal(reasonsOf(report, 'aulas', '4'), ['grupoid: there is no group of rooms 99'])
  await withStore('first', async store => {
    const stored = new Map((await store.computers.list()).map(row => [row.id, row]))
    equal([stored.get(1989)?.repo_id, stored.get(1992)?.hardware_id, stored.get(1990)?.place], [1, 0, undefined])
    const { netmask, boot, netiface, netdriver, livedir } = stored.get(1996) ?? {}
    equal([netmask, boot, netiface, netdriver, livedir], ['', 'pxe', 'eth0', 'generic', 'ogLive'])
    const { room, repo_id, hardware_id, maintenance, place } = stored.get(1997) ?? {}
    equal([room, repo_id, hardware_id, maintenance, place], [1, 1, 0, true, undefined])
    // Profile 7 has the same items as profile 1.
    equal([stored.get(1999)?.ip, stored.get(1999)?.mac], ['10.200.0.14', '00a1a2a3a4a5'])
    equal([stored.get(1998)?.mac, stored.get(1998)?.hardware_id], ['001b210A0b0c', 1])
  })
})

test('images keep their ids, and ids of deleted rows are not assigned again', async () => {
  await withStore('first', async store => {
    const images = await store.images.list()
    equal(
      images.map(({ id, name }) => [id, name]),
      [
        [3, 'ubuntu'],
        [5, 'windows'],
        [7, 'básica'],
        [11, 'imagen11'],
      ],
    )
    equal(images[0], {
      ...{ id: 3, name: 'ubuntu', description: 'Versión', repo_id: 1, type: 1, datasize: 5_000_000_000 },
      ...{ software_id: 1, group_id: 3, center_id: 1, clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXTFS' },
    })
    // List 5 of software is the same as list 1.
    equal(
      images.map(image => image.software_id),
      [1, 2, 1, 0],
    )
    const [image] = images
    if (!image) throw new Error('expected images, got none')
    is(await store.images.add({ ...image, name: 'new' }), 42)
    const row = await store.computers.find('127.1.1.1')
    if (!row) throw new Error('expected a computer, got none')
    equal(await store.computers.add([{ ...row, ip: '127.9.9.9' }]), [])
    is((await store.computers.find('127.9.9.9'))?.id, computerCount + 1)
  })
})

test('inventories name the filesystems, systems, images and programs of the store', async () => {
  await withStore('first', async store => {
    const [unchanged, second] = ['127.1.1.4', '127.1.1.2']
    equal(await store.inventory.partitions(unchanged), [
      { disk: 1, partition: 0, code: 1, size: 500_000_000, used_size: 0, filesystem: 0, os: 0, image: 0, software: 0 },
      {
        disk: 1,
        partition: 1,
        code: 7,
        size: 100_000_000,
        used_size: 40,
        filesystem: 13,
        os: 2,
        image: 5,
        software: 2,
      },
      {
        disk: 1,
        partition: 2,
        code: 131,
        size: 100_000_000,
        used_size: 40,
        filesystem: 6,
        os: 1,
        image: 3,
        software: 1,
      },
      {
        disk: 1,
        partition: 4,
        code: 202,
        size: 100_000_000,
        used_size: 40,
        filesystem: 2,
        os: 0,
        image: 0,
        software: 0,
      },
    ])
    const row = (await store.inventory.partitions(second)).find(({ partition }) => partition === 3)
    equal([row?.os, row?.image, row?.software, row?.used_size], [1, 7, 1, 100])
    equal(
      (await store.inventory.sessions(second)).map(({ name }) => name),
      ['Windows 10', 'Ubuntu 22.04', 'Ubuntu 22.04'],
    )
    const programs = await store.inventory.software(unchanged, 1, 1)
    equal([programs.length, programs[0]], [150, 'Programa 101 ñ'])
    equal(await store.inventory.hardware(unchanged), [
      { type: 'Procesador', description: 'Pieza 5' },
      { type: 'mem', description: 'Pieza 6' },
    ])
  })
})

test('a report of an agent about the same disks keeps the images', async () => {
  await withStore('first', async store => {
    const second = '127.1.1.2'
    const rows = [
      { disk: 1, partition: 1, code: 7, size: 100_000_000, used_size: 41, filesystem: 'NTFS', os: 'Windows 10' },
      { disk: 1, partition: 3, code: 131, size: 100_000_000, used_size: 41, filesystem: 'ZFS', os: 'Ubuntu 22.04' },
    ]
    await store.inventory.refresh(second, { rows, serial_number: '' })
    equal(
      (await store.inventory.partitions(second)).map(({ image }) => image),
      [5, 7],
    )
  })
})

test.run()

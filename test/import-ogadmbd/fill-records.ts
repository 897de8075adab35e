// Fills an ogAdmBD database with the records of 2,000 computers in 50 rooms, some of which have defects.
import type { Connection } from 'mysql2/promise'
import { addRows } from './create-tables.ts'

export const computerCount = 2000
export const perRoom = 40

export const longSystem = `Windows ${'x'.repeat(70)}`

export async function fillRecords(server: Connection): Promise<void> {
  await fillCenters(server)
  await fillProfiles(server)
  await fillImages(server)
  await fillComputers(server)
  await fillPartitions(server)
  await addRows(server, 'usuarios', [
    { usuario: 'ana', pasguor: 'old hash', nombre: 'Ana', email: '' },
    { usuario: 'luis', pasguor: 'old hash', nombre: 'Luis', email: '' },
  ])
}

const centerOf = (room: number) => (room <= 30 ? 1 : 2)

async function fillCenters(server: Connection): Promise<void> {
  await addRows(server, 'centros', [
    { idcentro: 1, nombrecentro: 'Física y Química', comentarios: 'ñandú' },
    { idcentro: 2, nombrecentro: 'Letras', comentarios: null },
    { idcentro: 3, nombrecentro: 'Letras', comentarios: '' },
    { idcentro: 4, nombrecentro: '', comentarios: '' },
  ])
  await addRows(server, 'grupos', [
    { idgrupo: 1, nombregrupo: 'Planta 1', grupoid: 0, tipo: 2, idcentro: 1 },
    { idgrupo: 2, nombregrupo: 'Ala norte', grupoid: 1, tipo: 2, idcentro: 1 },
    { idgrupo: 3, nombregrupo: 'Imágenes', grupoid: 0, tipo: 70, idcentro: 1 },
  ])
  const groups = new Map([
    [1, 1],
    [3, 2],
    [4, 99],
  ])
  const rooms = Array.from({ length: 50 }, (_, at) => room(at + 1, { grupoid: groups.get(at + 1) ?? 0 }))
  const defects = [
    room(51, { nombreaula: 'Aula 1', idcentro: 1 }),
    room(52, { idcentro: 9 }),
    room(53, { netmask: '255.0.255.0' }),
    room(54, { idcentro: 0 }),
    room(55, { nombreaula: 'Aula 1', idcentro: 2 }),
  ]
  await addRows(server, 'aulas', [...rooms, ...defects])
  await addRows(server, 'repositorios', [
    { idrepositorio: 1, nombrerepositorio: 'Central', ip: '10.0.0.1' },
    { idrepositorio: 2, nombrerepositorio: 'Segundo', ip: '10.0.0.2' },
    { idrepositorio: 3, nombrerepositorio: 'Tercero', ip: 'repo.example' },
    { idrepositorio: 4, nombrerepositorio: 'Segundo', ip: '10.0.0.4' },
  ])
}

const room = (idaula: number, more: object) => ({
  ...{ idaula, nombreaula: `Aula ${idaula}`, idcentro: centerOf(idaula), grupoid: 0, ubicacion: 'planta baja' },
  ...{ router: `10.1.${idaula}.254`, netmask: '255.255.255.0', dns: '10.0.0.53', ntp: '10.0.0.123', inremotepc: 0 },
  ...more,
})

async function fillProfiles(server: Connection): Promise<void> {
  const names = ['Ubuntu 22.04', 'Windows 10', 'Ubuntu 22.04', 'Solaris', longSystem, null]
  await addRows(
    server,
    'nombresos',
    names.map((nombreso, at) => ({ idnombreso: at + 1, nombreso })),
  )
  const filesystems = ['EXT4', 'NTFS', 'zfs', 'UFS', 'CACHE']
  await addRows(
    server,
    'sistemasficheros',
    filesystems.map((descripcion, at) => ({ idsistemafichero: at + 1, descripcion })),
  )
  await addRows(server, 'tipohardwares', [
    { idtipohardware: 1, descripcion: 'Procesador', nemonico: 'cpu' },
    { idtipohardware: 2, descripcion: '', nemonico: 'mem' },
  ])
  const hardware = Array.from({ length: 12 }, (_, at) => ({
    ...{ idhardware: at + 1, idtipohardware: (at % 2) + 1, descripcion: `Pieza ${at + 1}` },
  }))
  await addRows(server, 'hardwares', hardware)
  // Profile 6 is used by no computer, 7 has the same items as 1.
  const profiles = [
    [1, 2],
    [1, 4],
    [3, 2],
    [3, 4],
    [5, 6],
    [7, 8],
    [1, 2],
  ]
  await addLinks(server, 'perfileshard', 'perfileshard_hardwares', ['idperfilhard', 'idhardware'], profiles)
  // An item that does not exist.
  await addRows(server, 'perfileshard_hardwares', [{ idperfilhard: 1, idhardware: 99 }])
  const programs = Array.from({ length: 300 }, (_, at) => ({ idsoftware: at + 1, descripcion: `Programa ${at + 1} ñ` }))
  await addRows(server, 'softwares', programs)
  const all = programs.map(({ idsoftware }) => idsoftware)
  // Profile 4 is used by nothing, 5 is the same as 1.
  const lists = [all.slice(0, 200), all.slice(100, 250), all.slice(0, 10), all.slice(0, 20), all.slice(0, 200)]
  await addLinks(server, 'perfilessoft', 'perfilessoft_softwares', ['idperfilsoft', 'idsoftware'], lists)
  for (const [profile, system] of [
    [1, 1],
    [2, 2],
    [3, 1],
    [4, 1],
    [5, 3],
  ]) {
    await server.query('UPDATE perfilessoft SET idnombreso = ? WHERE idperfilsoft = ?', [system, profile])
  }
}

async function addLinks(server: Connection, table: string, links: string, keys: string[], lists: number[][]) {
  const [profile = '', item = ''] = keys
  await addRows(
    server,
    table,
    lists.map((_, at) => ({ [profile]: at + 1, descripcion: `Perfil ${at + 1}` })),
  )
  const rows = lists.flatMap((list, at) => list.map(id => ({ [profile]: at + 1, [item]: id })))
  await addRows(server, links, rows)
}

const image = (idimagen: number, more: object) => ({
  ...{ idimagen, nombreca: `imagen${idimagen}`, descripcion: 'Versión', idperfilsoft: 0, idcentro: 1, grupoid: 3 },
  ...{ idrepositorio: 1, tipo: 1, fechacreacion: '2021-03-04 05:06:07', clonator: 'PARTCLONE', compressor: 'LZOP' },
  ...{ filesystem: 'EXTFS', datasize: 5_000_000_000 },
  ...more,
})

async function fillImages(server: Connection): Promise<void> {
  await addRows(server, 'imagenes', [
    image(3, { nombreca: 'ubuntu', idperfilsoft: 1 }),
    image(5, { nombreca: 'windows', idperfilsoft: 2, idcentro: 0, descripcion: null }),
    image(7, { nombreca: 'básica', idperfilsoft: 5, idrepositorio: 2 }),
    image(8, { nombreca: 'ubuntu' }),
    image(9, { nombreca: 'a/b' }),
    image(10, { nombreca: 'x'.repeat(260) }),
    image(11, { idrepositorio: 3, idcentro: 9, idperfilsoft: 77, datasize: -1 }),
  ])
  // The last id was assigned to an image that was deleted.
  await addRows(server, 'imagenes', [image(41, {})])
  await server.query('DELETE FROM imagenes WHERE idimagen = 41')
}

/** The computer of row 1 to 2,000 without defects. */
export function computer(id: number) {
  const idaula = 1 + Math.floor((id - 1) / perRoom)
  const seat = (id - 1) % perRoom
  return {
    ...{ idordenador: id, nombreordenador: `pc-${id}`, numserie: `S${id}`, ip: `127.1.${idaula}.${seat + 1}` },
    mac: id.toString(16).padStart(12, '0').toUpperCase(),
    ...{ idaula, idperfilhard: 1 + (id % 5), idrepositorio: 1 + (id % 2), router: `10.1.${idaula}.254` },
    ...{ mascara: '255.255.255.0', arranque: ['10', '11', '12', 'pxe', '00unknown'][id % 5], netiface: 'eth0' },
    ...{ netdriver: 'generic', oglivedir: 'ogLive', n_row: 1 + Math.floor(seat / 8), n_col: 1 + (seat % 8) },
    ...{ inremotepc: id % 2, maintenance: 0 },
  }
}

/** The columns of computers that have a defect, by id. */
export const computerDefects = new Map<number, object>([
  [1981, { ip: '127.1.1.1' }],
  [1982, { idaula: 0 }],
  [1983, { idaula: 77 }],
  [1984, { mac: '00112233445' }],
  [1985, { nombreordenador: '' }],
  [1986, { ip: '10.1.50' }],
  [1987, { idaula: 51 }],
  [1988, { mac: null }],
  [1989, { idrepositorio: 3 }],
  [1990, { n_row: 0, n_col: 5 }],
  [1991, { n_row: 200, n_col: 5 }],
  [1992, { idperfilhard: 88 }],
  [1993, { mac: '000000000001' }],
  [1994, { mascara: '255.255.255.1' }],
  [1995, { router: '10.9.9.9' }],
  [1996, { idaula: 53, mascara: null, netiface: null, netdriver: '', oglivedir: null, arranque: null, router: '' }],
  [1997, { n_row: null, n_col: null, idrepositorio: null, idperfilhard: null, maintenance: 1, idaula: 1 }],
  [1999, { ip: '10.200.0.14 ', mac: ' 00a1a2a3a4a5' }],
  [1998, { mac: '00:1b:21:0A:0b:0c', idperfilhard: 7 }],
])

async function fillComputers(server: Connection): Promise<void> {
  const ids = Array.from({ length: computerCount }, (_, at) => at + 1)
  await addRows(
    server,
    'ordenadores',
    ids.map(id => ({ ...computer(id), ...computerDefects.get(id) })),
  )
}

const partition = (idordenador: number, numpar: number, more: object) => ({
  ...{ idordenador, numdisk: 1, numpar, codpar: 131, tamano: 100_000_000, uso: 40, idsistemafichero: 1 },
  ...{ idnombreso: 1, idimagen: 3, revision: 1, idperfilsoft: 1, fechadespliegue: '2022-01-01 00:00:00' },
  ...more,
})

const none = { idsistemafichero: 0, idnombreso: 0, idimagen: 0, idperfilsoft: 0 }

async function fillPartitions(server: Connection): Promise<void> {
  const rows = Array.from({ length: computerCount }, (_, at) => [
    partition(at + 1, 0, { ...none, codpar: 1, tamano: 500_000_000, uso: 0 }),
    partition(at + 1, 1, { codpar: 7, idsistemafichero: 2, idnombreso: 2, idimagen: 5, idperfilsoft: 2 }),
    partition(at + 1, 2, {}),
    partition(at + 1, 4, { ...none, codpar: 202, idsistemafichero: 5 }),
  ]).flat()
  await addRows(server, 'ordenadores_particiones', [
    ...rows,
    // Of a computer that was deleted.
    partition(3000, 1, {}),
    // Twice, as tables without a primary key may have it.
    partition(1, 2, {}),
    partition(1, 3, { idimagen: 8, idnombreso: 99, idperfilsoft: 66, idsistemafichero: 9, uso: null, tamano: null }),
    partition(2, 3, { idsistemafichero: 3, idnombreso: 3, idperfilsoft: 5, idimagen: 7, uso: 140 }),
    partition(3, 3, { idnombreso: 5, idperfilsoft: 3, idimagen: 0, codpar: -1 }),
  ])
}

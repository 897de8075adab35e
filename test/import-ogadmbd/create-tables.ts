// Creates the tables of an ogAdmBD database, or those of an older one.
import type { Connection } from 'mysql2/promise'

const id = 'INT NOT NULL AUTO_INCREMENT PRIMARY KEY'
const reference = 'INT NOT NULL DEFAULT 0'
const text = "VARCHAR(250) NOT NULL DEFAULT ''"
const optionalText = 'VARCHAR(250)'
const mask = 'INT UNSIGNED DEFAULT 0'
const flag = 'TINYINT NOT NULL DEFAULT 0'

const tables: Record<string, Record<string, string>> = {
  centros: { idcentro: id, nombrecentro: text, comentarios: 'TEXT' },
  grupos: { idgrupo: id, nombregrupo: text, grupoid: reference, tipo: reference, idcentro: reference },
  aulas: {
    ...{ idaula: id, nombreaula: text, idcentro: reference, grupoid: 'INT', ubicacion: optionalText },
    ...{ router: optionalText, netmask: optionalText, dns: optionalText, ntp: optionalText },
    ...{ inremotepc: flag, oglivedir: optionalText },
  },
  repositorios: { idrepositorio: id, nombrerepositorio: text, ip: text },
  ordenadores: {
    ...{ idordenador: id, nombreordenador: optionalText, numserie: optionalText, ip: text, mac: optionalText },
    ...{ idaula: 'INT', idperfilhard: 'INT', idrepositorio: 'INT', router: optionalText, mascara: optionalText },
    ...{ arranque: optionalText, netiface: optionalText, netdriver: optionalText, oglivedir: optionalText },
    ...{ n_row: 'SMALLINT', n_col: 'SMALLINT', inremotepc: flag, maintenance: flag },
  },
  ordenadores_particiones: {
    ...{ idordenador: reference, numdisk: reference, numpar: reference, codpar: 'INT', tamano: 'BIGINT', uso: 'INT' },
    ...{ idsistemafichero: 'INT', idnombreso: 'INT', idimagen: 'INT', revision: 'INT', idperfilsoft: 'INT' },
    fechadespliegue: 'DATETIME',
  },
  sistemasficheros: { idsistemafichero: id, descripcion: text },
  nombresos: { idnombreso: id, nombreso: optionalText },
  imagenes: {
    ...{ idimagen: id, nombreca: 'VARCHAR(300)', descripcion: optionalText, revision: 'INT', idperfilsoft: 'INT' },
    ...{ idcentro: 'INT', grupoid: 'INT', idrepositorio: 'INT', idordenador: 'INT', numdisk: 'INT', numpar: 'INT' },
    ...{ codpar: 'INT', tipo: 'INT', fechacreacion: 'DATETIME', clonator: text, compressor: text, filesystem: text },
    datasize: 'BIGINT NOT NULL DEFAULT 0',
  },
  perfileshard: { idperfilhard: id, descripcion: text },
  perfileshard_hardwares: { idperfilhard: reference, idhardware: reference },
  hardwares: { idhardware: id, idtipohardware: reference, descripcion: text },
  tipohardwares: { idtipohardware: id, descripcion: text, nemonico: text },
  perfilessoft: { idperfilsoft: id, idnombreso: 'INT', descripcion: text },
  perfilessoft_softwares: { idperfilsoft: reference, idsoftware: reference },
  softwares: { idsoftware: id, descripcion: text },
  procedimientos: { idprocedimiento: id, descripcion: text, idcentro: reference, comentarios: 'TEXT' },
  procedimientos_acciones: {
    ...{ idprocedimientoaccion: id, idprocedimiento: reference, orden: 'SMALLINT', parametros: 'TEXT' },
    procedimientoid: 'INT',
  },
  tareas: {
    ...{ idtarea: id, descripcion: text, idcentro: reference, ambito: 'SMALLINT', idambito: 'INT' },
    ...{ restrambito: 'TEXT', comentarios: 'TEXT' },
  },
  tareas_acciones: {
    ...{ idtareaaccion: id, idtarea: reference, orden: 'SMALLINT', idprocedimiento: 'INT', tareaid: 'INT' },
  },
  programaciones: {
    ...{ idprogramacion: id, tipoaccion: 'SMALLINT', identificador: 'INT', nombrebloque: optionalText },
    ...{ annos: mask, meses: mask, diario: mask, dias: mask, semanas: mask, horas: mask, ampm: 'TINYINT' },
    ...{ minutos: 'SMALLINT', suspendida: flag },
  },
  usuarios: { usuario: text, pasguor: text, nombre: text, email: text },
}

export interface TableOptions {
  engine?(table: string): 'InnoDB' | 'MyISAM'
  withoutTables?: string[]
  withoutColumns?: string[]
}

export async function createTables(server: Connection, database: string, options: TableOptions = {}): Promise<void> {
  const { engine = () => 'InnoDB', withoutTables = [], withoutColumns = [] } = options
  await server.query('CREATE DATABASE ?? CHARACTER SET utf8', [database])
  await server.query('USE ??', [database])
  for (const [table, columns] of Object.entries(tables)) {
    if (withoutTables.includes(table)) continue
    const present = Object.entries(columns).filter(([column]) => !withoutColumns.includes(`${table}.${column}`))
    const lines = present.map(([column, type]) => `\`${column}\` ${type}`)
    await server.query(`CREATE TABLE \`${table}\` (${lines.join(', ')}) ENGINE=${engine(table)}`)
  }
}

/** Adds rows; all of them have the columns of the first one. */
export async function addRows(server: Connection, table: string, rows: Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map(row => columns.map(column => row[column]))
  await server.query('INSERT INTO ?? (??) VALUES ?', [table, columns, values])
}

// The tables of an ogAdmBD database and the columns that the import reads of them.

interface TableColumns {
  /** The columns that identify a row, in the order of which the rows are read. A table without one of them cannot be read. */
  key: readonly string[]
  columns: readonly string[]
  /** What orders rows with the same key, where the database has it. */
  thenBy?: string
}

export const sourceTables = {
  centros: { key: ['idcentro'], columns: ['nombrecentro', 'comentarios'] },
  grupos: { key: ['idgrupo'], columns: ['grupoid', 'tipo', 'idcentro'] },
  aulas: {
    key: ['idaula'],
    columns: [...['nombreaula', 'idcentro', 'grupoid', 'ubicacion', 'router', 'netmask', 'dns', 'ntp'], 'inremotepc'],
  },
  repositorios: { key: ['idrepositorio'], columns: ['nombrerepositorio', 'ip'] },
  ordenadores: {
    key: ['idordenador'],
    columns: [
      ...['nombreordenador', 'numserie', 'ip', 'mac', 'idaula', 'idperfilhard', 'idrepositorio', 'router', 'mascara'],
      ...['arranque', 'netiface', 'netdriver', 'oglivedir', 'n_row', 'n_col', 'inremotepc', 'maintenance'],
    ],
  },
  ordenadores_particiones: {
    key: ['idordenador', 'numdisk', 'numpar'],
    columns: ['codpar', 'tamano', 'uso', 'idsistemafichero', 'idnombreso', 'idimagen', 'idperfilsoft'],
  },
  sistemasficheros: { key: ['idsistemafichero'], columns: ['descripcion'] },
  nombresos: { key: ['idnombreso'], columns: ['nombreso'] },
  imagenes: {
    key: ['idimagen'],
    columns: [
      ...['nombreca', 'descripcion', 'idperfilsoft', 'idcentro', 'grupoid', 'idrepositorio', 'tipo'],
      ...['clonator', 'compressor', 'filesystem', 'datasize'],
    ],
  },
  perfileshard: { key: ['idperfilhard'], columns: [] },
  perfileshard_hardwares: { key: ['idperfilhard', 'idhardware'], columns: [] },
  hardwares: { key: ['idhardware'], columns: ['idtipohardware', 'descripcion'] },
  tipohardwares: { key: ['idtipohardware'], columns: ['descripcion', 'nemonico'] },
  perfilessoft: { key: ['idperfilsoft'], columns: ['idnombreso'] },
  perfilessoft_softwares: { key: ['idperfilsoft', 'idsoftware'], columns: [] },
  softwares: { key: ['idsoftware'], columns: ['descripcion'] },
  procedimientos: { key: ['idprocedimiento'], columns: ['descripcion', 'idcentro', 'comentarios'] },
  procedimientos_acciones: {
    key: ['idprocedimiento', 'orden'],
    columns: ['parametros', 'procedimientoid'],
    thenBy: 'idprocedimientoaccion',
  },
  tareas: {
    key: ['idtarea'],
    columns: ['descripcion', 'idcentro', 'ambito', 'idambito', 'restrambito', 'comentarios'],
  },
  tareas_acciones: {
    key: ['idtarea', 'orden'],
    columns: ['idprocedimiento', 'tareaid'],
    thenBy: 'idtareaaccion',
  },
  programaciones: {
    key: ['idprogramacion'],
    columns: [
      ...['tipoaccion', 'identificador', 'nombrebloque', 'annos', 'meses', 'diario', 'dias', 'semanas', 'horas'],
      ...['ampm', 'minutos', 'suspendida'],
    ],
  },
  // Only counted.
  usuarios: { key: ['usuario'], columns: [] },
} as const satisfies Record<string, TableColumns>

export type SourceTable = keyof typeof sourceTables

export const sourceTableNames = Object.keys(sourceTables).filter(name => isSourceTable(name))

export function isSourceTable(name: string): name is SourceTable {
  return Object.hasOwn(sourceTables, name)
}

export const columnsOf = (table: SourceTable): TableColumns => sourceTables[table]

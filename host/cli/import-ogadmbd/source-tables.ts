// The tables of an ogAdmBD database and the columns that the import reads of them.

/**
 * Names of columns with blanks between them. Those of `key` identify a row, and are the order in which the rows are
 * read: a table without one of them cannot be read. `thenBy`: what orders rows with the same key, where the database
 * has it.
 */
const columnsFrom = (key: string, columns = '', thenBy?: string) => ({
  key: key.split(' '),
  columns: columns.split(' ').filter(Boolean),
  thenBy,
})

const sourceTables = {
  centros: columnsFrom('idcentro', 'nombrecentro comentarios'),
  grupos: columnsFrom('idgrupo', 'grupoid tipo idcentro'),
  aulas: columnsFrom('idaula', 'nombreaula idcentro grupoid ubicacion router netmask dns ntp inremotepc'),
  repositorios: columnsFrom('idrepositorio', 'nombrerepositorio ip'),
  ordenadores: columnsFrom(
    'idordenador',
    'nombreordenador numserie ip mac idaula idperfilhard idrepositorio router mascara arranque netiface netdriver ' +
      'oglivedir n_row n_col inremotepc maintenance',
  ),
  ordenadores_particiones: columnsFrom(
    'idordenador numdisk numpar',
    'codpar tamano uso idsistemafichero idnombreso idimagen idperfilsoft',
  ),
  sistemasficheros: columnsFrom('idsistemafichero', 'descripcion'),
  nombresos: columnsFrom('idnombreso', 'nombreso'),
  imagenes: columnsFrom(
    'idimagen',
    'nombreca descripcion idperfilsoft idcentro grupoid idrepositorio tipo clonator compressor filesystem datasize',
  ),
  perfileshard: columnsFrom('idperfilhard'),
  perfileshard_hardwares: columnsFrom('idperfilhard idhardware'),
  hardwares: columnsFrom('idhardware', 'idtipohardware descripcion'),
  tipohardwares: columnsFrom('idtipohardware', 'descripcion nemonico'),
  perfilessoft: columnsFrom('idperfilsoft', 'idnombreso'),
  perfilessoft_softwares: columnsFrom('idperfilsoft idsoftware'),
  softwares: columnsFrom('idsoftware', 'descripcion'),
  procedimientos: columnsFrom('idprocedimiento', 'descripcion idcentro comentarios'),
  procedimientos_acciones: columnsFrom('idprocedimiento orden', 'parametros procedimientoid', 'idprocedimientoaccion'),
  tareas: columnsFrom('idtarea', 'descripcion idcentro ambito idambito restrambito comentarios'),
  tareas_acciones: columnsFrom('idtarea orden', 'idprocedimiento tareaid', 'idtareaaccion'),
  programaciones: columnsFrom(
    'idprogramacion',
    'tipoaccion identificador nombrebloque annos meses diario dias semanas horas ampm minutos suspendida',
  ),
  // Only counted.
  usuarios: columnsFrom('usuario'),
}

export type SourceTable = keyof typeof sourceTables

export const isSourceTable = (name: string): name is SourceTable => Object.hasOwn(sourceTables, name)

export const sourceTableNames = Object.keys(sourceTables).filter(isSourceTable)

export const columnsOf = (table: SourceTable) => sourceTables[table]

// Fills an ogAdmBD database with procedures, tasks and schedules, some of which have defects.
import type { Connection } from 'mysql2/promise'
import { addRows } from './create-tables.ts'

const parameters = (...items: string[]) => `${items.join('\r')}\r`

const layout =
  'dis=1*che=1*tch=1000*par=1*cpt=NTFS*sfi=NTFS*tam=50000000*ope=1%par=2*cpt=LINUX*sfi=EXT4*tam=40000000*ope=0%'
const setup = parameters('nfn=Configurar', 'ttp=MSDOS', 'dsk=1', `cfg=${layout}`)
const restore = (idi: number, ...more: string[]) =>
  parameters('nfn=RestaurarImagen', 'dsk=1', 'par=1', `idi=${idi}`, 'nci=windows', 'ipr=10.0.0.1', 'ifs=5', ...more)

/** The steps of procedures in their order: a parameter string, or the id of a procedure. */
const procedureSteps: Record<number, (string | number)[]> = {
  1: [parameters('nfn=Arrancar', 'mar=1'), parameters('nfn=IniciarSesion', 'dsk=1', 'par=2')],
  2: [setup, restore(5, 'ptc=UNICAST'), 1],
  3: [
    parameters('nfn=EjecutarScript', 'scp=echo%20%C3%B1%20%26%26%20date%20%2B%25F%0Auname%20-a'),
    parameters('nfn=EjecutarScript', 'scp=echo a=1; date +%F\r\necho ñ', 'ids=4'),
    parameters('nfn=InventarioHardware'),
    parameters('nfn=InventarioSoftware', 'dsk=1', 'par=2'),
    parameters('nfn=Actualizar'),
    parameters('nfn=Apagar'),
    parameters('nfn=Reiniciar'),
    parameters('nfn=Purgar'),
    parameters('nfn=EjecutaComandosPendientes'),
    parameters('nfn=CrearImagen', 'dsk=1', 'par=2', 'cpt=131', 'idi=3', 'nci=ubuntu', 'ipr=10.0.0.1'),
    parameters('nfn=Arrancar', 'mar=2'),
  ],
  4: [5, parameters('nfn=Apagar')],
  5: [4],
  6: [
    parameters('nfn=Formatear', 'dsk=1'),
    parameters('nfn=IniciarSesion', 'par=2'),
    restore(99, 'ptc=UNICAST'),
    '',
    99,
    parameters('nfn=Arrancar', 'mar=7'),
    parameters('nfn=EjecutarScript', `scp=${'ñ'.repeat(30_000)}`),
    7,
    parameters('nfn=Configurar', 'ttp=MSDOS', 'dsk=1', 'cfg=par=1*cpt=NTFS%'),
    parameters('nfn=Actualizar'),
  ],
  10: [10],
  77: [parameters('nfn=Apagar')],
}

const procedures = [
  { idprocedimiento: 1, descripcion: 'Arranque', idcentro: 1, comentarios: 'cada mañana' },
  { idprocedimiento: 2, descripcion: 'Restaurar', idcentro: 1, comentarios: null },
  { idprocedimiento: 3, descripcion: 'Arranque', idcentro: 2, comentarios: '' },
  { idprocedimiento: 4, descripcion: 'Bucle A', idcentro: 1, comentarios: '' },
  { idprocedimiento: 5, descripcion: 'Bucle B', idcentro: 1, comentarios: '' },
  { idprocedimiento: 6, descripcion: 'Defectos', idcentro: 1, comentarios: '' },
  { idprocedimiento: 7, descripcion: 'Arranque', idcentro: 1, comentarios: '' },
  { idprocedimiento: 8, descripcion: 'Sin centro', idcentro: 9, comentarios: '' },
  { idprocedimiento: 10, descripcion: 'Bucle', idcentro: 2, comentarios: '' },
]

const task = (idtarea: number, ambito: number, idambito: number, restrambito: string | null = '') => ({
  ...{ idtarea, descripcion: `Tarea ${idtarea}`, idcentro: 1, ambito, idambito, restrambito, comentarios: '' },
})

const tasks = [
  task(1, 4, 1),
  task(2, 16, 5, null),
  task(3, 1, 2),
  task(4, 2, 1),
  task(5, 8, 1),
  task(6, 8, 1, '1,2,1982'),
  task(7, 4, 52),
  task(8, 4, 2),
  task(9, 4, 2, '41,42'),
  task(10, 4, 2, '3000'),
  task(11, 4, 2),
  task(12, 99, 2),
  // Task 5, which is left out, has the same name.
  { ...task(13, 4, 3), descripcion: 'Tarea 5' },
  { ...task(14, 4, 3), descripcion: 'Tarea 1' },
  task(15, 4, 2, '41;42'),
]

const taskSteps = [
  { idtarea: 1, orden: 1, idprocedimiento: 1, tareaid: 0 },
  { idtarea: 1, orden: 2, idprocedimiento: 7, tareaid: 0 },
  { idtarea: 1, orden: 3, idprocedimiento: 0, tareaid: null },
  { idtarea: 2, orden: 1, idprocedimiento: 3, tareaid: 0 },
  { idtarea: 8, orden: 1, idprocedimiento: 0, tareaid: 9 },
  { idtarea: 9, orden: 1, idprocedimiento: 0, tareaid: 8 },
  { idtarea: 9, orden: 2, idprocedimiento: 2, tareaid: 0 },
  { idtarea: 9, orden: 3, idprocedimiento: 2, tareaid: 2 },
  { idtarea: 10, orden: 1, idprocedimiento: 1, tareaid: 0 },
  { idtarea: 11, orden: 1, idprocedimiento: 6, tareaid: 0 },
  { idtarea: 11, orden: 2, idprocedimiento: 0, tareaid: 5 },
]

const schedule = (idprogramacion: number, tipoaccion: number, identificador: number, more: object = {}) => ({
  ...{ idprogramacion, tipoaccion, identificador, nombrebloque: `Bloque ${idprogramacion}` },
  ...{ annos: 4294967295, meses: 4095, diario: 0, dias: 31, semanas: 0, horas: 1024, ampm: 1, minutos: 30 },
  suspendida: 0,
  ...more,
})

const schedules = [
  schedule(1, 3, 2),
  schedule(2, 2, 3, { semanas: null, diario: 1 }),
  schedule(3, 1, 4),
  schedule(4, 3, 11),
  schedule(5, 3, 5),
  schedule(6, 3, 2, { minutos: 75 }),
  schedule(7, 2, 2, { suspendida: 1 }),
  schedule(8, 9, 1),
]

export async function fillWork(server: Connection): Promise<void> {
  await addRows(server, 'procedimientos', procedures)
  const steps = Object.entries(procedureSteps).flatMap(([id, list]) =>
    list.map((step, at) => ({
      ...{ idprocedimiento: Number(id), orden: at + 1 },
      parametros: typeof step === 'string' ? step : '',
      procedimientoid: typeof step === 'number' ? step : 0,
    })),
  )
  const both = { idprocedimiento: 6, orden: 11, parametros: parameters('nfn=Apagar'), procedimientoid: 1 }
  await addRows(server, 'procedimientos_acciones', [...steps, both])
  await addRows(server, 'tareas', tasks)
  await addRows(server, 'tareas_acciones', taskSteps)
  await addRows(server, 'programaciones', schedules)
}

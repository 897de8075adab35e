// Imports tasks: their steps, and the computers that they are for.
import type { Step, Task } from '../../../stores/store.ts'
import type { RoomGroups } from './read-centers.ts'
import { toProcedure } from './read-procedures.ts'
import { absenceReason, FirstRows, keepRows, missingReason, type SiteImport } from './site.ts'
import type { SourceRow } from './source-database.ts'
import { StepGraph } from './step-graph.ts'

export async function readTasks(task: SiteImport, groups: RoomGroups | undefined): Promise<StepGraph> {
  const { source, site, report } = task
  const names = new FirstRows()
  await keepRows(task, 'tareas', 'tasks', (row, id) => {
    const targets = targetsOf(task, row, groups)
    if (typeof targets === 'string') return targets
    // Last: only a task that is kept keeps its name from others.
    const procedure = toProcedure(task, row, id, names)
    return typeof procedure === 'string' ? procedure : { ...procedure, ...targets }
  })
  const graph = new StepGraph()
  for await (const row of source.rows('tareas_acciones')) {
    const owner = site.tasks.get(row.number('idtarea'))
    const step = owner ? toStep(task, row, owner, graph) : missingReason('idtarea', 'tareas', row.number('idtarea'))
    if (typeof step !== 'string') owner?.steps.push(step)
    else {
      report.dropRow(row, step)
      if (owner) graph.setIncomplete(owner.id)
    }
  }
  return graph
}

function toStep({ site }: SiteImport, row: SourceRow, owner: Task, graph: StepGraph): Step | string {
  const [procedure, task] = [row.number('idprocedimiento'), row.number('tareaid')]
  if (procedure !== 0 && task !== 0) return 'expected idprocedimiento or tareaid, got both'
  if (procedure === 0 && task === 0) return 'it names nothing'
  if (procedure !== 0) {
    return site.procedures.has(procedure)
      ? { procedure }
      : missingReason('idprocedimiento', 'procedimientos', procedure)
  }
  if (!site.tasks.has(task)) return missingReason('tareaid', 'tareas', task)
  return graph.add(owner.id, task) ? { task } : `tareaid: ${task} leads back to ${owner.id}`
}

type Targets = Pick<Task, 'scope' | 'clients'>

/** `ambito`. */
const scopes = { center: 1, groupOfRooms: 2, room: 4, groupOfComputers: 8, computer: 16 }

/** Never without scope and clients: such a task is for all computers of its center. */
function targetsOf(task: SiteImport, row: SourceRow, groups: RoomGroups | undefined): Targets | string {
  const { site } = task
  const [type, id] = [row.number('ambito'), row.number('idambito')]
  const restricted = row
    .text('restrambito')
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '' && each !== '0')
  const clients = restricted.length > 0 ? clientsOf(task, row, restricted) : undefined
  if (clients?.length === 0) return 'restrambito: none of its computers is kept'
  const scoped = (name: 'center' | 'room' | 'computer') => ({ scope: { type: name, id }, ...(clients && { clients }) })
  if (type === scopes.center) return site.centers.has(id) ? scoped('center') : missingReason('idambito', 'centros', id)
  if (type === scopes.room) return site.rooms.has(id) ? scoped('room') : missingReason('idambito', 'aulas', id)
  if (type === scopes.computer) {
    return site.computers.has(id) ? scoped('computer') : missingReason('idambito', 'ordenadores', id)
  }
  if (clients) return { clients }
  if (type === scopes.groupOfRooms) return clientsInGroup(task, row, id, groups)
  if (type === scopes.groupOfComputers) return 'ambito: groups of computers are not kept'
  return `ambito: expected 1, 2, 4, 8 or 16, got ${row.text('ambito')}`
}

function clientsOf({ site, report }: SiteImport, row: SourceRow, ids: string[]): string[] {
  return [...new Set(ids)].flatMap(text => {
    const id = Number(text)
    const computer = site.computers.get(id)
    if (computer) return computer.ip
    const reason = Number.isSafeInteger(id) ? absenceReason('ordenadores', id) : `expected ids and commas, got ${text}`
    report.addProblem(row, 'restrambito', reason)
    return []
  })
}

/** The computers that are in the rooms of a group, and of the groups in it, now. */
function clientsInGroup(
  { site, report }: SiteImport,
  row: SourceRow,
  group: number,
  groups: RoomGroups | undefined,
): Targets | string {
  if (!groups?.has(group)) return missingReason('idambito', 'grupos', group)
  const all = new Set([group])
  // A set may grow while it is read.
  for (const parent of all) for (const [id, each] of groups) if (each.parent === parent) all.add(id)
  const clients = [...site.computers.values()].flatMap(({ ip, room }) =>
    all.has(site.rooms.get(room)?.group ?? 0) ? [ip] : [],
  )
  if (clients.length === 0) return `idambito: there are no computers in group ${group}`
  report.addProblem(row, 'idambito', `a task has no group of rooms: it has the ${clients.length} computers in it`)
  return { clients }
}

// Imports procedures and tasks: their steps, which are commands from parameter strings, procedures or tasks.
import type { Procedure, Step, Task } from '../../../stores/store.ts'
import { isImageName } from '../../images/image-folder.ts'
import type { RoomGroups } from './read-computers.ts'
import { readParameters } from './read-parameters.ts'
import { type FirstRows, keepRows, type SiteImport } from './site.ts'
import { absenceReason, type SourceRow } from './source-row.ts'

/** Which procedures lead to which others, or tasks to tasks: finds loops, and those that lack a step. */
export class StepGraph {
  readonly #next = new Map<number, Set<number>>()
  readonly #incomplete = new Set<number>()

  /** False when the step would lead back to where it begins: then it is not added. */
  add(from: number, to: number): boolean {
    if (this.reachable(to).has(from)) return false
    this.#next.set(from, (this.#next.get(from) ?? new Set()).add(to))
    return true
  }

  setIncomplete(id: number): void {
    this.#incomplete.add(id)
  }

  /** Whether it, or one that its steps lead to, lacks a step. */
  isIncomplete(id: number): boolean {
    return [...this.reachable(id)].some(each => this.#incomplete.has(each))
  }

  /** Those that the steps of `start` lead to, and `start`. */
  reachable(start: number): Set<number> {
    const reachable = new Set([start])
    // A set may grow while it is read.
    for (const id of reachable) for (const next of this.#next.get(id) ?? []) reachable.add(next)
    return reachable
  }
}

/** `software`: the list of software that stands for each one of the database. */
export async function readProcedures(task: SiteImport, software: ReadonlyMap<number, number>): Promise<StepGraph> {
  const { procedures } = task.site
  await keepRows(task, 'procedimientos', 'procedures', (row, id, names) => toProcedure(task, row, id, names))
  return readSteps(task, ['procedimientos', 'idprocedimiento', procedures], (row, { id }, graph) => {
    const [parameters, procedure] = [row.text('parametros'), row.number('procedimientoid')]
    if (parameters.trim() !== '' && procedure !== 0) return 'expected parametros or procedimientoid, got both'
    if (procedure !== 0) {
      const missing = row.missing('procedimientoid', 'procedimientos', procedures)
      if (missing !== undefined) return missing
      return graph.add(id, procedure) ? { procedure } : `procedimientoid: ${procedure} leads back to ${id}`
    }
    return parameters.trim() === '' ? 'it names nothing' : toCommandStep(task, parameters, software)
  })
}

/** Adds to each procedure or task its steps; a row without one is left out with the reason that `toStep` returns. */
async function readSteps(
  { source }: SiteImport,
  [table, column, owners]: ['procedimientos' | 'tareas', string, ReadonlyMap<number, { id: number; steps: Step[] }>],
  toStep: (row: SourceRow, owner: { id: number }, graph: StepGraph) => Step | string,
): Promise<StepGraph> {
  const graph = new StepGraph()
  for await (const row of source.rows(`${table}_acciones`)) {
    const owner = owners.get(row.number(column))
    const step = owner ? toStep(row, owner, graph) : (row.missing(column, table, owners) ?? '')
    if (typeof step !== 'string') owner?.steps.push(step)
    else {
      row.drop(step)
      if (owner) graph.setIncomplete(owner.id)
    }
  }
  return graph
}

/** A procedure or a task without its steps, or why it cannot be kept. */
function toProcedure({ site, checks }: SiteImport, row: SourceRow, id: number, names: FirstRows): Procedure | string {
  const [center, name] = [row.number('idcentro'), row.text('descripcion')]
  const reason =
    row.missing('idcentro', 'centros', site.centers) ??
    checks.mismatch('procedure-add', { center: String(center), name }) ??
    names.conflict(`${center} ${name}`, row, 'descripcion')
  return reason ?? { id, center, name, description: row.text('comentarios'), steps: [] }
}

function toCommandStep(
  { site, checks }: SiteImport,
  parameters: string,
  software: ReadonlyMap<number, number>,
): Step | string {
  const result = readParameters(parameters)
  if (typeof result === 'string') return `parametros: ${result}`
  const { command, params, image } = result
  if (image && !site.images.has(image.id)) return `parametros: idi: ${absenceReason('imagenes', image.id)}`
  if (image && !isImageName(image.name))
    return `parametros: nci: expected a file name, got ${JSON.stringify(image.name.slice(0, 80))}`
  const mismatch = checks.stepMismatch(command, params)
  if (mismatch !== undefined) return `parametros: ${command}: ${mismatch}`
  // Restoring an image names the list of its software by id.
  const profile = software.get(Number(params.profile))
  return { command, params: profile === undefined ? params : { ...params, profile: String(profile) } }
}

export async function readTasks(task: SiteImport, groups: RoomGroups | undefined): Promise<StepGraph> {
  const { procedures, tasks } = task.site
  await keepRows(task, 'tareas', 'tasks', (row, id, names) => {
    const targets = targetsOf(task, row, groups)
    if (typeof targets === 'string') return targets
    // Last: only a task that is kept keeps its name from others.
    const procedure = toProcedure(task, row, id, names)
    return typeof procedure === 'string' ? procedure : { ...procedure, ...targets }
  })
  return readSteps(task, ['tareas', 'idtarea', tasks], (row, { id }, graph) => {
    const [procedure, next] = [row.number('idprocedimiento'), row.number('tareaid')]
    if (procedure !== 0 && next !== 0) return 'expected idprocedimiento or tareaid, got both'
    if (procedure === 0 && next === 0) return 'it names nothing'
    if (procedure !== 0) return row.missing('idprocedimiento', 'procedimientos', procedures) ?? { procedure }
    const missing = row.missing('tareaid', 'tareas', tasks)
    if (missing !== undefined) return missing
    return graph.add(id, next) ? { task: next } : `tareaid: ${next} leads back to ${id}`
  })
}

type Targets = Pick<Task, 'scope' | 'clients'>

/** By `ambito`. Never without scope and clients: such a task is for all computers of its center. */
function targetsOf(task: SiteImport, row: SourceRow, groups: RoomGroups | undefined): Targets | string {
  const { centers, rooms, computers } = task.site
  const [type, id] = [row.number('ambito'), row.number('idambito')]
  const ids = row.text('restrambito').split(',')
  const restricted = ids.map(each => each.trim()).filter(each => each !== '' && each !== '0')
  const clients = restricted.length > 0 ? clientsOf(task, row, restricted) : undefined
  if (clients?.length === 0) return 'restrambito: none of its computers is kept'
  const inScope = (type: 'center' | 'room' | 'computer') => ({ scope: { type, id }, ...(clients && { clients }) })
  if (type === 1) return row.missing('idambito', 'centros', centers) ?? inScope('center')
  if (type === 4) return row.missing('idambito', 'aulas', rooms) ?? inScope('room')
  if (type === 16) return row.missing('idambito', 'ordenadores', computers) ?? inScope('computer')
  if (clients) return { clients }
  if (type === 2) return clientsInGroup(task, row, id, groups)
  if (type === 8) return 'ambito: groups of computers are not kept'
  return `ambito: expected 1, 2, 4, 8 or 16, got ${row.text('ambito')}`
}

function clientsOf({ site }: SiteImport, row: SourceRow, ids: string[]): string[] {
  return [...new Set(ids)].flatMap(text => {
    const id = Number(text)
    const computer = site.computers.get(id)
    if (computer) return computer.ip
    const isId = Number.isSafeInteger(id)
    row.note('restrambito', isId ? absenceReason('ordenadores', id) : `expected ids and commas, got ${text}`)
    return []
  })
}

/** The computers that are in the rooms of a group, and of the groups in it, now. */
function clientsInGroup(
  { site }: SiteImport,
  row: SourceRow,
  group: number,
  groups: RoomGroups = new Map(),
): Targets | string {
  const missing = row.missing('idambito', 'grupos', groups)
  if (missing !== undefined) return missing
  const all = new Set([group])
  // A set may grow while it is read.
  for (const parent of all) for (const [id, each] of groups) if (each.parent === parent) all.add(id)
  const inGroup = [...site.computers.values()].filter(({ room }) => all.has(site.rooms.get(room)?.group ?? 0))
  if (inGroup.length === 0) return `idambito: there are no computers in group ${group}`
  row.note('idambito', `a task has no group of rooms: it has the ${inGroup.length} computers in it`)
  return { clients: inGroup.map(({ ip }) => ip) }
}
